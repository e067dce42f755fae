import fc from "fast-check";
import { loadAll } from "js-yaml";
import { describe, expect, it } from "vitest";
import { yamlText } from "../../../../../test/arbitraries/yaml-text.ts";
import { numRuns } from "../../../../../test/support/suite.ts";
import { readYaml, resolvePlain, type YamlNode, type YamlResult, yamlValue } from "../testing.ts";

const RUNS = numRuns(6000);

describe("readYaml", () => {
  it("F-01 gives the values that js-yaml gives, and fails where it fails", () => {
    let readable = 0;
    fc.assert(
      fc.property(yamlText(), (text) => {
        const result = readYaml(text);
        if (result.ok) readable++;
        const expected = loaded(text);
        expect(comparable(result) ?? expected).toEqual(expected);
      }),
      { numRuns: RUNS },
    );
    expect(readable).toBeGreaterThan(RUNS / 10);
  });

  it("F-08 accepts nothing with an alias or tag, and never throws", () => {
    fc.assert(
      fc.property(yamlText({ references: true }), (text) => {
        const result = readYaml(text);
        const place = result.ok ? result.node : result;
        expect(comparable(result) !== undefined && result.ok && loaded(text) === "error").toBe(
          false,
        );
        expect([0, place.start, place.end, text.length]).toEqual(
          [0, place.start, place.end, text.length].toSorted((a, b) => a - b),
        );
      }),
      { numRuns: RUNS },
    );
  });

  it("F-06 places nodes where they stand", () => {
    fc.assert(
      fc.property(yamlText(), (text) => {
        const result = readYaml(text);
        expect(result.ok ? misplaced(result.node, text, 0) : []).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });
});

/** What js-yaml must say to the same text; undefined where we refuse or name things otherwise. */
function comparable(result: YamlResult): { value: unknown } | "error" | undefined {
  if (result.ok) {
    return hasOnlyTextKeys(result.node) ? { value: yamlValue(result.node) } : undefined;
  }
  const isGrammar = result.problem === "invalid" && !result.reason.includes("simple word");
  return isGrammar || result.problem === "too-deep" ? "error" : undefined;
}

/** js-yaml resolves `1` and `~` as keys to other texts than were written; we keep what was written. */
function hasOnlyTextKeys(node: YamlNode): boolean {
  if (node.kind === "list") return node.items.every(hasOnlyTextKeys);
  if (node.kind === "scalar") return true;
  return node.entries.every(
    ({ key, value }) => resolvePlain(key) === key && hasOnlyTextKeys(value),
  );
}

/** No document at all is an empty one to us. */
function loaded(text: string): { value: unknown } | "error" {
  try {
    const documents = loadAll(text, { maxDepth: 20, maxAliases: 0 });
    return documents.length > 1 ? "error" : { value: documents[0] ?? null };
  } catch {
    return "error";
  }
}

function misplaced(node: YamlNode, text: string, from: number): unknown[] {
  const inOrder = from <= node.start && node.start <= node.end && node.end <= text.length;
  const here = inOrder ? [] : [node];
  if (node.kind === "scalar") return here;
  if (node.kind === "list") {
    return [...here, ...node.items.flatMap((item) => misplaced(item, text, node.start))];
  }
  const wrongKeys = node.entries.filter(
    ({ key, keyStart, keyEnd }) => /^[\w-]+$/.test(key) && text.slice(keyStart, keyEnd) !== key,
  );
  const below = node.entries.flatMap(({ keyEnd, value }) => misplaced(value, text, keyEnd));
  return [...here, ...wrongKeys, ...below];
}
