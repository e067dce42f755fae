import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { skillRecord } from "../../../../test/support/skill-record.ts";
import { numRuns } from "../../../../test/support/suite.ts";
import { DEFAULTS } from "../config/index.ts";
import { restoreState, type SkillsState } from "../internal/index.ts";

/** A value of the kind that an option has. */
function valueLike(normal: unknown): fc.Arbitrary<unknown> {
  if (typeof normal === "boolean") return fc.boolean();
  if (typeof normal === "number") return fc.nat();
  if (typeof normal === "string") return fc.string();
  if (normal === undefined) return fc.oneof(fc.string(), fc.array(fc.string(), { maxLength: 3 }));
  if (Array.isArray(normal)) return fc.array(fc.string(), { maxLength: 3 });
  const entries = Object.entries(normal as object);
  if (entries.length === 0) {
    const key = fc.stringMatching(/^[a-z_]{1,8}$/).filter((name) => !(name in {}));
    return fc.dictionary(key, fc.oneof(fc.string(), fc.integer()), { noNullPrototype: true });
  }
  const model = Object.fromEntries(entries.map(([key, value]) => [key, valueLike(value)]));
  return fc.record(model, { requiredKeys: [], noNullPrototype: true });
}

const text = fc.string();
const texts = fc.array(text, { maxLength: 4 });
const options = fc.record(
  {
    cwd: text,
    roots: texts,
    directory: text,
    names: texts,
    disabled: texts,
    configuration: valueLike(DEFAULTS),
  },
  { requiredKeys: [], noNullPrototype: true },
);
const record = fc
  .tuple(fc.stringMatching(/^[a-z][a-z0-9-]{0,12}$/), text, fc.boolean(), fc.boolean())
  .map(([name, description, modelInvocable, trusted]) =>
    skillRecord(name, {
      description,
      modelInvocable,
      trusted,
      metadata: { author: description },
      allowedTools: [{ tool: "Bash", specifier: description }, { tool: "Read" }],
    }),
  );
const activation = fc.record(
  { id: text, name: text, digest: text, byPerson: fc.constant(true) },
  { requiredKeys: ["id", "name", "digest"], noNullPrototype: true },
);
const states = fc.record(
  {
    schemaVersion: fc.constant(1),
    options,
    skills: fc.array(record, { maxLength: 6 }),
    ledger: fc.array(activation, { maxLength: 4 }),
  },
  { noNullPrototype: true },
) as fc.Arbitrary<SkillsState>;

describe("restoreState", () => {
  it("N-02 D-09 Feature: remove-skill-catalog-config, Property 5: what is saved comes back equal", () => {
    fc.assert(
      fc.property(states, (state) => {
        expect(restoreState(JSON.parse(JSON.stringify(state)))).toEqual(state);
        expect(restoreState(JSON.stringify(state))).toEqual(state);
      }),
      { numRuns: numRuns(300) },
    );
  });

  it("D-09 what has another shape restores to an empty list, and nothing throws", () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true }), (data) => {
        expect(restoreState(data).skills).toEqual([]);
      }),
      { numRuns: numRuns(300) },
    );
    const older = { UserSkills: [{ Name: "a" }], ProjectSkills: [], SkillsDirectory: "/x" };
    expect(restoreState(older)).toEqual({
      schemaVersion: 1,
      options: { roots: [] },
      skills: [],
      ledger: [],
    });
    const damaged = { schemaVersion: 1, skills: [7, { name: "a" }], ledger: "x", options: [] };
    expect(restoreState(damaged)).toEqual({
      schemaVersion: 1,
      options: {},
      skills: [],
      ledger: [],
    });
  });

  it("D-09 takes no option that is not one, and no key that reaches a prototype", () => {
    const configuration = JSON.parse(
      '{"__proto__":{"polluted":1},"skillTools":{"cacheSkills":"yes","maxOutputSizeBytes":7,"other":1},"mcpServers":{"constructor":1,"a":{}}}',
    ) as object;
    const { options: restored } = restoreState({ schemaVersion: 1, options: { configuration } });
    expect(restored).toEqual({
      configuration: { skillTools: { maxOutputSizeBytes: 7 }, mcpServers: { a: {} } },
    });
    expect({}).not.toHaveProperty("polluted");
  });
});
