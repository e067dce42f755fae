export type YamlNode = YamlScalar | YamlMap | YamlList;
export type YamlPrimitive = string | number | boolean | null;
export type YamlValue = YamlPrimitive | YamlValue[] | { [key: string]: YamlValue };

/** Offsets are into the text that was read; `end` is exclusive. */
export interface YamlScalar {
  readonly kind: "scalar";
  readonly value: YamlPrimitive;
  /** As written, quotes and escapes resolved: `1.10` stays `1.10` where `value` is 1.1. */
  readonly source: string;
  /** Written without quotes and not as a block. */
  readonly plain: boolean;
  readonly start: number;
  readonly end: number;
}

export interface YamlMap {
  readonly kind: "map";
  readonly entries: readonly YamlEntry[];
  readonly start: number;
  readonly end: number;
}

interface YamlList {
  readonly kind: "list";
  readonly items: readonly YamlNode[];
  readonly start: number;
  readonly end: number;
}

export interface YamlEntry {
  readonly key: string;
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly value: YamlNode;
}

/** The plain value of a node. Keys that belong to `Object.prototype` were refused when reading. */
export function yamlValue(node: YamlNode): YamlValue {
  if (node.kind === "scalar") return node.value;
  if (node.kind === "list") return node.items.map(yamlValue);
  return Object.fromEntries(node.entries.map(({ key, value }) => [key, yamlValue(value)]));
}

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
