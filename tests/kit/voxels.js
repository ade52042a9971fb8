const SIDES = [
    [-1, 0, 0],
    [1, 0, 0],
    [0, -1, 0],
    [0, 1, 0],
    [0, 0, -1],
    [0, 0, 1],
];
/** Some of the cubes of a grid, each square of the surface as two triangles, cut along either diagonal; then `place`. */
export function voxels(rng, size, fill, place = (p) => p) {
    const cells = new Set();
    const centers = [];
    for (let x = 0; x < size; x++)
        for (let y = 0; y < size; y++)
            for (let z = 0; z < size; z++)
                if (rng.chance(fill) || (x === 0 && y === 0 && z === 0)) {
                    cells.add(`${x},${y},${z}`);
                    centers.push(place({ x: x + 0.5, y: y + 0.5, z: z + 0.5 }));
                }
    const numbers = new Map();
    const positions = [];
    const index = [];
    const vertex = (p) => {
        const known = numbers.get(String(p));
        if (known !== undefined)
            return known;
        const { x, y, z } = place({ x: p[0], y: p[1], z: p[2] });
        positions.push(x, y, z);
        numbers.set(String(p), positions.length / 3 - 1);
        return positions.length / 3 - 1;
    };
    let squares = 0;
    for (const cell of cells) {
        const at = cell.split(',').map(Number);
        for (const side of SIDES) {
            if (cells.has(at.map((x, k) => x + side[k]).join()))
                continue;
            squares++;
            const axis = side.findIndex((s) => s !== 0);
            const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
            const corners = [
                [0, 0],
                [1, 0],
                [1, 1],
                [0, 1],
            ].map(([i, j]) => {
                const p = [...at];
                p[axis] += side[axis] > 0 ? 1 : 0;
                p[u] += i;
                p[v] += j;
                return vertex(p);
            });
            if (side[axis] < 0)
                corners.reverse();
            const turn = rng.int(0, 1);
            const [a, b, c, d] = [0, 1, 2, 3].map((k) => corners[(k + turn) % 4]);
            index.push(a, b, c, a, c, d);
        }
    }
    return { positions: Float64Array.from(positions), index: Uint32Array.from(index), centers, squares };
}
/** Turned, scaled and moved. */
export function placing(rng) {
    const q = rng.rotation();
    const scale = rng.pick([1, 1, 0.37, 1e-3, 1e4]);
    const shift = rng.vec(rng.pick([0, 1, 1000]) * scale);
    return (p) => {
        const tx = 2 * (q.y * p.z - q.z * p.y);
        const ty = 2 * (q.z * p.x - q.x * p.z);
        const tz = 2 * (q.x * p.y - q.y * p.x);
        return {
            x: (p.x + q.w * tx + (q.y * tz - q.z * ty)) * scale + shift.x,
            y: (p.y + q.w * ty + (q.z * tx - q.x * tz)) * scale + shift.y,
            z: (p.z + q.w * tz + (q.x * ty - q.y * tx)) * scale + shift.z,
        };
    };
}
//# sourceMappingURL=voxels.js.map