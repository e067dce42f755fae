import { type ConformanceCase, DESCRIPTION, fileOf, inBothModes } from "./conformance-case.ts";

type Rest = Partial<Omit<ConformanceCase, "id" | "text">>;

const named = (id: string, yaml: string, name: string, rest: Rest = {}): ConformanceCase => ({
  id,
  requirement: "F-02",
  text: fileOf(`name: ${yaml}\ndescription: ${DESCRIPTION}`),
  codes: [],
  loaded: true,
  skill: { name },
  ...rest,
});

const valid = (id: string, name: string): ConformanceCase =>
  named(id, name, name.replaceAll('"', ""), { strict: true });

/** Loads with a warning, is an error in strict mode. */
const invalid = (id: string, yaml: string, name: string, rest: Rest = {}): ConformanceCase[] =>
  inBothModes(
    named(id, yaml, name, { codes: ["warning:name-invalid"], at: [2, 7], ...rest }),
    "name-invalid",
  );

const mistyped = (id: string, yaml: string, rest: Rest = {}): ConformanceCase[] =>
  inBothModes(
    named(id, yaml, yaml, {
      codes: ["warning:field-type"],
      at: [2, 7],
      hint: `"${yaml}"`,
      ...rest,
    }),
    "field-type",
  );

const unnamed = (id: string, line: string, codes: string[], at: [number, number]) =>
  inBothModes(
    {
      id: `${id}: the folder's name is used`,
      requirement: "F-02",
      text: fileOf(`${line}description: ${DESCRIPTION}`),
      directoryName: "dates",
      codes,
      loaded: true,
      skill: { name: "dates" },
      at,
    },
    "field-type",
    "name-missing",
  );

const INVALID_SPELLINGS = "warning:name-invalid";
const LETTERS_64 = "a".repeat(64);

export const nameCases: readonly ConformanceCase[] = [
  valid("a word", "pdf"),
  valid("words with hyphens", "pdf-form-filler"),
  valid("a single letter", "x"),
  valid("digits and letters", "2fa-3d"),
  valid("digits in quotes", '"123"'),
  valid("true in quotes", '"true"'),
  valid("64 characters", LETTERS_64),
  valid("accented letters", "données-météo"),
  valid("Chinese", "日期-格式"),
  valid("Cyrillic", "даты"),
  valid("64 characters outside of the basic plane", "𐌰".repeat(64)),
  ...inBothModes(
    named("65 characters", `${LETTERS_64}a`, `${LETTERS_64}a`, {
      codes: ["warning:name-too-long"],
      at: [2, 7],
    }),
    "name-too-long",
  ),
  ...invalid("uppercase", "PDF-Forms", "PDF-Forms", { hint: "pdf-forms" }),
  ...invalid("an uppercase accent", "École", "École", { hint: "école" }),
  ...invalid("blanks", "pdf forms", "pdf forms", { hint: "pdf-forms" }),
  ...invalid("an underscore", "pdf_forms", "pdf_forms", { hint: "pdf-forms" }),
  ...invalid("a colon", "office:pdf", "office:pdf", { hint: "office-pdf" }),
  ...invalid("a dot", "pdf.forms", "pdf.forms"),
  ...invalid("an emoji", "pdf-🚀", "pdf-🚀", { hint: "pdf" }),
  ...invalid("a leading hyphen", "-pdf", "-pdf"),
  ...invalid("a trailing hyphen", "pdf-", "pdf-"),
  ...invalid("two hyphens in a row", "pdf--forms", "pdf--forms"),
  ...invalid("a slash", "office/pdf", "office/pdf"),
  ...invalid("a path upwards", "../../x", "../../x"),
  ...invalid("a dot alone", ".", "."),
  ...invalid("an apostrophe in quotes", "'it''s'", "it's", { at: [2, 8] }),
  ...unnamed("no name", "", ["warning:name-missing"], [2, 1]),
  ...unnamed("an empty name", 'name: ""\n', ["warning:name-missing"], [2, 8]),
  ...unnamed(
    "a name without a value",
    "name:\n",
    ["warning:field-type", "warning:name-missing"],
    [2, 5],
  ),
  ...unnamed(
    "the name null",
    "name: null\n",
    ["warning:field-type", "warning:name-missing"],
    [2, 7],
  ),
  ...unnamed("the name ~", "name: ~\n", ["warning:field-type", "warning:name-missing"], [2, 7]),
  ...unnamed("a list", "name: [dates]\n", ["warning:field-type", "warning:name-missing"], [2, 7]),
  ...unnamed("a mapping", "name: {a: b}\n", ["warning:field-type", "warning:name-missing"], [2, 7]),
  {
    id: "neither name nor folder",
    requirement: "F-02",
    text: fileOf(`description: ${DESCRIPTION}`),
    codes: ["error:name-missing"],
    loaded: false,
  },
  {
    id: "a blank name and no folder",
    requirement: "F-02",
    text: fileOf(`name: "  "\ndescription: ${DESCRIPTION}`),
    codes: ["error:name-missing", INVALID_SPELLINGS],
    loaded: false,
  },
  ...mistyped("a number", "123"),
  ...mistyped("true", "true"),
  ...mistyped("FALSE", "FALSE", { codes: ["warning:field-type", INVALID_SPELLINGS] }).slice(0, 1),
  ...mistyped("a hexadecimal number", "0x1f"),
  ...mistyped("an octal number", "0o17"),
  ...mistyped("a number with an exponent", "1e3"),
  ...mistyped("a fraction", "1.10", { codes: ["warning:field-type", INVALID_SPELLINGS] }).slice(
    0,
    1,
  ),
  ...["2026-11-15", "yes", "off", "0b1"].flatMap((value) =>
    inBothModes(
      named(`${value} is text here and not elsewhere`, value, value, {
        codes: ["warning:value-ambiguous"],
        at: [2, 7],
        hint: `"${value}"`,
      }),
    ),
  ),
  named("equal to the folder", "dates", "dates", { directoryName: "dates", strict: true }),
  named("equal to the folder but for Unicode composition", "donne\u0301es", "donn\u00e9es", {
    directoryName: "donn\u00e9es",
    codes: [],
  }),
  ...inBothModes(
    named("another name than the folder: the file wins", "dates", "dates", {
      directoryName: "date-tools",
      codes: ["warning:name-mismatch"],
      at: [2, 7],
    }),
    "name-mismatch",
  ),
  ...inBothModes(
    named("another case than the folder", "dates", "dates", {
      directoryName: "Dates",
      codes: ["warning:name-mismatch"],
    }),
    "name-mismatch",
  ),
];
