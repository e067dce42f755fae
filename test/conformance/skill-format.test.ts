import { type Diagnostic, parseSkill } from "@skillwright/core";
import {
  fieldsRules,
  lintSkillText,
  type ParsedSkill,
  type ParseOptions,
  qualityRules,
  renderSkill,
  safetyRules,
  syntaxRules,
} from "@skillwright/core/internal";
import { describe, expect, it } from "vitest";
import { allowedToolsCases } from "./cases/allowed-tools.ts";
import { characterCases } from "./cases/characters.ts";
import type { ConformanceCase } from "./cases/conformance-case.ts";
import { controlCases } from "./cases/controls.ts";
import { delimiterCases } from "./cases/delimiters.ts";
import { descriptionCases } from "./cases/description.ts";
import { injectionCases } from "./cases/injection.ts";
import { keyCases } from "./cases/keys.ts";
import { nameCases } from "./cases/name.ts";
import { optionalFieldCases } from "./cases/optional-fields.ts";
import { peerDefectCases } from "./cases/peer-defects.ts";
import { qualityCases } from "./cases/quality.ts";
import { recoveryCases } from "./cases/recovery.ts";
import { yamlCases } from "./cases/yaml.ts";

const TABLES = {
  delimiters: delimiterCases,
  yaml: yamlCases,
  name: nameCases,
  description: descriptionCases,
  "optional fields": optionalFieldCases,
  controls: controlCases,
  keys: keyCases,
  "allowed-tools": allowedToolsCases,
  recovery: recoveryCases,
  characters: characterCases,
  injection: injectionCases,
  quality: qualityCases,
  "defects of peers": peerDefectCases,
};
const CASES = Object.values(TABLES).flat();
const RULES = [...syntaxRules, ...fieldsRules, ...safetyRules, ...qualityRules];

describe.each(Object.entries(TABLES))("SKILL.md: %s", (_, cases) => {
  it.each(cases.map((row) => [titleOf(row), row] as const))("%s", (_title, row) => {
    const { skill, diagnostics } = read(row);
    const [first] = diagnostics.toSorted((a, b) => a.line - b.line || a.column - b.column);
    expect({
      codes: diagnostics.map(findingOf).toSorted(),
      loaded: skill !== undefined,
      skill: row.skill && skill && fieldsOf(skill, row.skill),
      extraKeys: row.skill?.extra && Object.keys(skill?.extra ?? {}),
      at: row.at && [first?.line, first?.column],
      hint: containing(first?.hint, row.hint),
    }).toEqual({
      codes: row.codes,
      loaded: row.loaded,
      skill: row.skill,
      extraKeys: row.skill?.extra && Object.keys(row.skill.extra),
      at: row.at,
      hint: row.hint,
    });
  });
});

describe("all rows together", () => {
  it.each(RULES.map(({ code }) => code))("F-06 rule %s has a row", (code) => {
    expect(CASES.some(({ codes }) => codes.some((finding) => finding.endsWith(`:${code}`)))).toBe(
      true,
    );
  });

  it("F-06 every rule has a code of its own, a summary and an example", () => {
    expect(new Set(RULES.map(({ code }) => code)).size).toBe(RULES.length);
    for (const { code, summary, explanation, example } of RULES) {
      expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect([summary, explanation, example.bad, example.good]).not.toContain("");
    }
  });

  it("F-06 every row has a title of its own", () => {
    const titles = CASES.map(titleOf);
    expect(titles.filter((title, i) => titles.indexOf(title) !== i)).toEqual([]);
  });

  it("F-06 linting adds to parsing and takes nothing away", () => {
    const lost = CASES.filter((row) => {
      const { diagnostics } = lintSkillText(row.text, optionsOf(row, false));
      const linted = new Set(diagnostics.map(findingOf));
      const parsed = parseSkill(row.text, optionsOf(row, false)).diagnostics.map(findingOf);
      return parsed.some((finding) => !linted.has(finding));
    });
    expect(lost.map(titleOf)).toEqual([]);
  });

  it("F-06 strict mode finds the same, and an error means that nothing loads", () => {
    for (const row of CASES) {
      const lenient = parseSkill(row.text, optionsOf(row, false));
      const strict = parseSkill(row.text, optionsOf(row, true));
      const failed = strict.diagnostics.some(({ severity }) => severity === "error");
      const skipped = lenient.diagnostics.some(({ effect }) => effect === "skipped");
      expect({
        row: titleOf(row),
        codes: strict.diagnostics.map(({ code }) => code),
        strict: strict.skill,
        lenient: lenient.skill !== undefined,
      }).toEqual({
        row: titleOf(row),
        codes: lenient.diagnostics.map(({ code }) => code),
        strict: failed ? undefined : lenient.skill,
        lenient: !skipped,
      });
    }
  });

  it("F-06 what loads is written and read again as the same skill", () => {
    for (const row of CASES) {
      const { skill } = parseSkill(row.text, optionsOf(row, false));
      if (skill === undefined) continue;
      const again = parseSkill(renderSkill(skill)).skill;
      expect({ row: titleOf(row), ...again, bodyLine: 0 }).toEqual({
        row: titleOf(row),
        ...skill,
        hiddenFromModel: again?.hiddenFromModel,
        bodyLine: 0,
      });
    }
  });
});

function read(row: ConformanceCase) {
  const reader = row.lint === true ? lintSkillText : parseSkill;
  return reader(row.text, optionsOf(row, row.strict ?? false));
}

function optionsOf({ directoryName }: ConformanceCase, strict: boolean): ParseOptions {
  return { strict, ...(directoryName === undefined ? undefined : { directoryName }) };
}

function titleOf({ requirement, id, strict = false }: ConformanceCase): string {
  return `${requirement} ${id}${strict ? " (strict)" : ""}`;
}

/** The fields of the skill that were asked about. */
function fieldsOf(skill: ParsedSkill, asked: Partial<ParsedSkill>) {
  return Object.fromEntries(Object.entries(skill).filter(([key]) => Object.hasOwn(asked, key)));
}

/** The part when it is in the text; otherwise the text, for the message of the test. */
function containing(text: string | undefined, part: string | undefined): string | undefined {
  return part !== undefined && text?.includes(part) !== true ? text : part;
}

function findingOf({ severity, code }: Diagnostic): string {
  return `${severity}:${code}`;
}
