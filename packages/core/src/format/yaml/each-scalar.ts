import type { YamlNode } from "./yaml-node.ts";

/** Every key and every scalar value below a node, with its place. */
export function* eachScalar(
  node: YamlNode,
): Generator<{ text: string; start: number; end: number }> {
  if (node.kind === "scalar") {
    yield { text: node.source, start: node.start, end: node.end };
  } else if (node.kind === "list") {
    for (const item of node.items) yield* eachScalar(item);
  } else {
    for (const { key, keyStart, keyEnd, value } of node.entries) {
      yield { text: key, start: keyStart, end: keyEnd };
      yield* eachScalar(value);
    }
  }
}
