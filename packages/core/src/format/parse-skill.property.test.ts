import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyUnits, hostileText } from "../../../../test/arbitraries/hostile-text.ts";
import { writtenSkill } from "../../../../test/arbitraries/skill.ts";
import { yamlText } from "../../../../test/arbitraries/yaml-text.ts";
import { numRuns } from "../../../../test/support/suite.ts";
import { applyFixes } from "../directory/index.ts";
import { type Diagnostic, parseSkill } from "../index.ts";
import {
  fieldsRules,
  lintSkillText,
  type ParseOptions,
  qualityRules,
  readSkillMetadata,
  renderSkill,
  safetyRules,
  syntaxRules,
} from "../internal/index.ts";
import { meantKey, normalizeText, readYaml, type YamlValue, yamlValue } from "./testing.ts";

const CODES = [...syntaxRules, ...fieldsRules, ...safetyRules, ...qualityRules].map(
  ({ code }) => code,
);
const RUNS = { numRuns: numRuns(2000) };
const HEAD = "name: dates\ndescription: Formats dates. Use when asked.\n";

const options: fc.Arbitrary<ParseOptions> = fc.record(
  { directoryName: fc.oneof(fc.constant("dates"), anyUnits), strict: fc.boolean() },
  { requiredKeys: [] },
);

describe("any text", () => {
  it("F-06 is read without throwing, with findings that point into the file", () => {
    fc.assert(
      fc.property(hostileText, options, (text, options) => {
        const findings = [parseSkill, lintSkillText, readSkillMetadata].flatMap(
          (read) => read(text, options).diagnostics,
        );
        expect(findings.filter((finding) => !isWellFormed(finding, text))).toEqual([]);
      }),
      RUNS,
    );
  });

  it("F-06 is either loaded or has an error that says why not", () => {
    fc.assert(
      fc.property(hostileText, options, (text, options) => {
        const { skill, diagnostics } = parseSkill(text, options);
        const decides = options.strict === true ? isError : isSkipped;
        expect(skill === undefined).toBe(diagnostics.some(decides));
      }),
      RUNS,
    );
  });

  it("F-01 has a body that is the rest of the file from its line on", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const { skill } = parseSkill(text, { directoryName: "dates" });
        if (skill === undefined) return;
        const lines = normalizeText(text).split("\n");
        expect(lines.slice(skill.bodyLine - 1).join("\n")).toBe(skill.body);
        expect(skill.name.trim()).not.toBe("");
        expect(skill.description.trim()).not.toBe("");
      }),
      RUNS,
    );
  });

  it("F-06 loads or not whatever severities are set", () => {
    const severities = fc.constantFrom("error", "warning", "info", "off");
    const settings = fc.dictionary(fc.constantFrom(...CODES), severities);
    fc.assert(
      fc.property(hostileText, settings, (text, rules) => {
        const usual = parseSkill(text, { directoryName: "dates" });
        const set = parseSkill(text, { directoryName: "dates", rules });
        expect(set.skill === undefined).toBe(usual.skill === undefined);
      }),
      RUNS,
    );
  });

  it("R-01 has the same metadata whether all or only the frontmatter is read", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const { metadata } = readSkillMetadata(text, { directoryName: "dates" });
        const { skill } = parseSkill(text, { directoryName: "dates" });
        const hiddenFromModel = metadata?.hiddenFromModel === true ? true : skill?.hiddenFromModel;
        expect(skill).toEqual(skill && { ...skill, ...metadata, hiddenFromModel });
        expect(metadata === undefined).toBe(skill === undefined);
        expect(metadata?.version).toBe(skill?.version);
      }),
      RUNS,
    );
  });

  it("F-01 means the same with CRLF, CR and a byte order mark", () => {
    fc.assert(
      fc.property(hostileText, (raw) => {
        const text = normalizeText(raw);
        if (text.startsWith("\uFEFF")) return;
        const expected = lintSkillText(text);
        for (const newline of ["\n", "\r\n", "\r"]) {
          const written = text.replaceAll("\n", newline);
          expect(lintSkillText(written)).toEqual(expected);
          expect(lintSkillText(`\uFEFF${written}`)).toEqual(expected);
        }
      }),
      { numRuns: numRuns(1000) },
    );
  });
});

describe("a skill that is written", () => {
  it("F-06 is read again as it was", () => {
    fc.assert(
      fc.property(writtenSkill, (written) => {
        const text = renderSkill(written);
        const { skill } = parseSkill(text);
        const { bodyLine: _, hiddenFromModel: __, ...read } = { ...skill };
        expect(read).toEqual(written);
        expect(renderSkill({ name: "", description: "", ...skill })).toBe(text);
      }),
      RUNS,
    );
  });
});

describe("a repaired file", () => {
  const broken = fc
    .array(yamlText(), { minLength: 1, maxLength: 3 })
    // Messages show control characters as escapes, so that what they show is not the text.
    .filter((texts) => !/[\u0080-\u009f]/.test(texts.join("")))
    .map(skillWith);
  const examples: [ReturnType<typeof skillWith>][] = [
    [skillWith(['name: word\na uthor: pdf pdf\n\n  ~\n ame: "pdf"\n'])],
    [skillWith(["a: x: y\nb: word\n--- \nc: word\n"])],
  ];

  it("F-07 means what its diagnostics say: with the fix it is the same skill, unrepaired", () => {
    let repaired = 0;
    fc.assert(
      fc.property(broken, ({ yaml, text }) => {
        const { skill, diagnostics } = parseSkill(text);
        const repairs = diagnostics.filter(isRepair);
        if (repairs.length === 0) return;
        repaired++;
        const mended = parseSkill(applyFixes(text, repairs).text);
        const shown = repairs.map(({ hint = "" }) => entriesOf(`${hint.replace(/^write /, "")}\n`));
        expect(mended.diagnostics.filter(isRepair)).toEqual([]);
        expect(mended.skill).toEqual(skill);
        // Such a line ends the frontmatter before the name of the skill.
        const isCut = /^---[ \t]*$/m.test(yaml);
        expect(skill === undefined).toBe(isCut);
        expect(skill?.extra ?? {}).toMatchObject(isCut ? {} : Object.assign({}, ...shown));
      }),
      { numRuns: numRuns(4000), examples },
    );
    expect(repaired).toBeGreaterThan(numRuns(4000) / 200);
  });

  it("F-07 has every other value as it was", () => {
    fc.assert(
      fc.property(broken, ({ yaml, text }) => {
        const { skill, diagnostics } = parseSkill(text);
        if (skill === undefined || !diagnostics.some(isRepair)) return;
        const readable = yaml.split(/(?<=\n)(?=k\d+:)/).map((entry) => entriesOf(entry));
        const own = readable.flatMap(Object.entries).filter(([key]) => /^k\d+$/.test(key));
        expect(skill.extra).toMatchObject(Object.fromEntries(own));
      }),
      { numRuns: numRuns(4000), examples },
    );
  });
});

function skillWith(texts: readonly string[]) {
  const yaml = texts.map(withOwnKeys).join("");
  return { yaml, text: `---\n${yaml}${HEAD}---\nBody.\n` };
}

/** The top-level keys renamed to unknown ones that differ from each other, also where they are misspelt (`a uthor`). */
function withOwnKeys(text: string, i: number): string {
  let count = 0;
  const renamed = text.replace(/(?<![^\n])[^ \t:\n][^:\n]*?(?=[ \t]*:)/g, (key) => {
    const isPlain = /^[\w-]+$/.test(key) || meantKey(key).surely !== undefined;
    return isPlain ? `k${i}${count++}` : key;
  });
  return renamed.endsWith("\n") ? renamed : `${renamed}\n`;
}

/** The mapping that a text is by itself; nothing when it is none. */
function entriesOf(text: string): Record<string, YamlValue> {
  const result = readYaml(text);
  if (!result.ok || result.node.kind !== "map") return {};
  return Object.fromEntries(result.node.entries.map(({ key, value }) => [key, yamlValue(value)]));
}

function isWellFormed(finding: Diagnostic, raw: string): boolean {
  const text = normalizeText(raw);
  const lines = text.split("\n");
  const { code, severity, message, hint, file, fix = [] } = finding;
  const { line, column, endLine, endColumn } = finding;
  const isPlace = (line: number, column: number) =>
    line >= 1 && column >= 1 && column <= (lines[line - 1]?.length ?? -1) + 1;
  return (
    (CODES as readonly string[]).includes(code) &&
    ["error", "warning", "info"].includes(severity) &&
    message !== "" &&
    hint !== "" &&
    file === "SKILL.md" &&
    isPlace(line, column) &&
    isPlace(endLine, endColumn) &&
    (line < endLine || (line === endLine && column <= endColumn)) &&
    fix.every(({ start, end }) => 0 <= start && start <= end && end <= text.length)
  );
}

function isError({ severity }: Diagnostic): boolean {
  return severity === "error";
}

function isSkipped({ effect }: Diagnostic): boolean {
  return effect === "skipped";
}

function isRepair({ code }: Diagnostic): boolean {
  return code === "yaml-repaired";
}
