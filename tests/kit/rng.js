/** xorshift128+ would do; sfc32 is as short and passes PractRand. */
export class Rng {
    a;
    b;
    c;
    d = 1;
    constructor(seed) {
        this.a = seed | 0;
        this.b = (seed / 4294967296) | 0;
        this.c = 0x9e3779b9 | 0;
        for (let i = 0; i < 12; i++)
            this.bits();
    }
    /** 32 random bits, unsigned. */
    bits() {
        const t = (((this.a + this.b) | 0) + this.d) | 0;
        this.d = (this.d + 1) | 0;
        this.a = this.b ^ (this.b >>> 9);
        this.b = (this.c + (this.c << 3)) | 0;
        this.c = (this.c << 21) | (this.c >>> 11);
        this.c = (this.c + t) | 0;
        return t >>> 0;
    }
    /** Uniform in [0, 1), 53 bits. */
    unit() {
        return ((this.bits() >>> 5) * 67108864 + (this.bits() >>> 6)) / 9007199254740992;
    }
    /** Uniform in [low, high). */
    range(low, high) {
        return low + (high - low) * this.unit();
    }
    /** Integer in [low, high], both included. */
    int(low, high) {
        return low + Math.floor(this.unit() * (high - low + 1));
    }
    chance(probability) {
        return this.unit() < probability;
    }
    pick(items) {
        return items[this.int(0, items.length - 1)];
    }
    sign() {
        return this.chance(0.5) ? 1 : -1;
    }
    /** Roughly normal, mean 0, deviation 1. */
    gauss() {
        return Math.sqrt(-2 * Math.log(1 - this.unit())) * Math.cos(2 * Math.PI * this.unit());
    }
    /** Uniform in the cube [-size, size]³. */
    vec(size = 1) {
        return { x: this.range(-size, size), y: this.range(-size, size), z: this.range(-size, size) };
    }
    /** Uniform on the unit sphere. */
    direction() {
        for (;;) {
            const x = this.gauss();
            const y = this.gauss();
            const z = this.gauss();
            const length = Math.sqrt(x * x + y * y + z * z);
            if (length > 1e-3)
                return { x: x / length, y: y / length, z: z / length };
        }
    }
    /** Uniform unit quaternion; one time in four a multiple of a quarter turn about an axis. */
    rotation() {
        if (this.chance(0.25)) {
            const half = this.pick([0, Math.SQRT1_2, 1]);
            const q = { x: 0, y: 0, z: 0, w: half === 1 ? 0 : half === 0 ? 1 : Math.SQRT1_2 };
            q[this.pick(['x', 'y', 'z'])] = half * this.sign();
            return q;
        }
        for (;;) {
            const q = { x: this.gauss(), y: this.gauss(), z: this.gauss(), w: this.gauss() };
            const n = Math.sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
            if (n > 1e-3)
                return { x: q.x / n, y: q.y / n, z: q.z / n, w: q.w / n };
        }
    }
    shuffle(items) {
        for (let i = items.length - 1; i > 0; i--) {
            const j = this.int(0, i);
            const t = items[i];
            items[i] = items[j];
            items[j] = t;
        }
        return items;
    }
}
/** How the points of one case are made: each way breaks a different kind of code. */
export const REGIMES = ['lattice', 'plain', 'jittered', 'huge', 'tiny', 'far'];
/**
 * `count` points from one regime. `lattice` has coordinates in {-2 … 2}, so coincident, parallel, collinear,
 * coplanar and touching come up all the time, exactly; `jittered` the same off by about 1e-9; `huge` and `tiny`
 * spread over 1e6 and 1e-6; `far` lies 1e6 from the origin.
 */
export function cloud(rng, count, regime = rng.pick(REGIMES)) {
    const points = [];
    const shift = rng.vec(1e6);
    for (let i = 0; i < count; i++) {
        const p = regime === 'lattice' || regime === 'jittered'
            ? { x: rng.int(-2, 2), y: rng.int(-2, 2), z: rng.int(-2, 2) }
            : rng.vec(regime === 'huge' ? 1e6 : regime === 'tiny' ? 1e-6 : 1);
        if (regime === 'jittered') {
            p.x += rng.range(-1e-9, 1e-9);
            p.y += rng.range(-1e-9, 1e-9);
            p.z += rng.range(-1e-9, 1e-9);
        }
        if (regime === 'far') {
            p.x += shift.x;
            p.y += shift.y;
            p.z += shift.z;
        }
        points.push(p);
    }
    const size = regime === 'huge'
        ? 1e6
        : regime === 'tiny'
            ? 1e-6
            : regime === 'lattice' || regime === 'jittered'
                ? 4
                : 1;
    return { regime, points, size, scale: regime === 'far' ? 1e6 : size };
}
//# sourceMappingURL=rng.js.map