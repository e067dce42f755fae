import { type ConformanceCase, DESCRIPTION, FULL_BODY, fileOf } from "./conformance-case.ts";

export const WHEN = "Use when a date must be written out.";

/** Read with `lintSkillText`; without any finding of its own but the given ones. */
export const row = (
  id: string,
  { name = "dates", description = DESCRIPTION, lines = "", body = FULL_BODY },
  rest: Partial<ConformanceCase>,
): ConformanceCase => ({
  id,
  requirement: "F-08",
  text: fileOf(`name: ${name}\ndescription: ${description}${lines}`, body),
  lint: true,
  codes: [],
  loaded: true,
  ...rest,
});

export const HIDDEN = { hiddenFromModel: true };

/** Loads for people and is kept from models; in strict mode it does not load. */
export const hidden = (id: string, parts: Parameters<typeof row>[1], code: string) => [
  row(id, parts, { codes: [`error:${code}`], skill: HIDDEN }),
  row(id, parts, { codes: [`error:${code}`], strict: true, loaded: false }),
];

export const shown = { skill: { hiddenFromModel: false } };
export const warns = (code: string) => ({ codes: [`warning:${code}`], ...shown });
