/** What a report on a mesh says in words. */
import type { MeshReport } from './inspect.ts';

/** @internal */
export function problemsOf(report: Omit<MeshReport, 'problems'>): string[] {
  const { borders, selfIntersections, nonManifoldVertices } = report;
  const problems: string[] = [];
  const pairs = (list: Uint32Array, one: string, many: string, rest: string): void => {
    if (list.length > 0)
      problems.push(`${counted(list.length / 2, one, many)} ${rest}, the first ${list[0]} and ${list[1]}`);
  };
  const singles = (list: Uint32Array, one: string, many: string, rest: string): void => {
    if (list.length > 0) problems.push(`${counted(list.length, one, many)} ${rest}, the first ${list[0]}`);
  };
  if (borders.length > 0) {
    const rim = borders.reduce((sum, { length }) => sum + length, 0);
    problems.push(
      `the surface is open: ${counted(borders.length, 'rim', 'rims')}, in all ${rim.toPrecision(3)} long`,
    );
  }
  pairs(report.nonManifoldEdges, 'edge', 'edges', 'with more than two triangles');
  pairs(report.misorientedEdges, 'edge', 'edges', 'whose triangles disagree on what is outside');
  if (report.isInsideOut)
    problems.push('the surface is inside out: seen from outside its triangles are clockwise');
  const more = report.selfIntersectionsTruncated ? ', and perhaps others' : '';
  pairs(selfIntersections, 'pair of triangles', 'pairs of triangles', `run into each other${more}`);
  singles(nonManifoldVertices, 'vertex', 'vertices', 'where the surface is pinched');
  singles(report.duplicateTriangles, 'triangle', 'triangles', 'with the corners of an earlier one');
  singles(report.degenerateTriangles, 'triangle', 'triangles', 'without area');
  singles(report.duplicateVertices, 'vertex', 'vertices', 'at the position of an earlier one');
  singles(
    report.weldedVertices,
    'vertex',
    'vertices',
    `off by ${report.largestGap.toPrecision(2)} at most along seams, and taken as joined`,
  );
  singles(report.unusedVertices, 'vertex', 'vertices', 'of no triangle');
  return problems;
}

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
