import { isDeepStrictEqual } from "node:util";
import { Ajv, type Options } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { OutputCheckKind } from "../cases/eval-case.ts";
import { type CheckVerdict, decided, nothingThere, shown, undecided } from "./check-verdict.ts";
import { jsonInText } from "./json-in-text.ts";
import { parseJsonPath, valuesAt } from "./json-path.ts";
import { withinTime } from "./within-time.ts";

type Of<Type> = Extract<OutputCheckKind, { type: Type }>;

const OPTIONS: Options = { strict: false, logger: false, validateSchema: true, allErrors: false };
const MAX_SCHEMA = 200_000;

/** A schema may be hostile: it is compiled anew, fetches nothing, and is ended when it runs away. */
export function checkJsonSchema({ schema }: Of<"json-schema">, text: string): CheckVerdict {
  const json = jsonInText(text);
  if (!json.ok) return nothingThere(`${json.message}: ${shown(text)}`);
  try {
    const result = withinTime(() => validate(schema, json.value));
    if (!result.ok) return undecided(result.message);
    return result.value === undefined
      ? decided(true, "the schema allows it")
      : decided(false, result.value);
  } catch (error) {
    return undecided(`the schema cannot be used: ${reasonOf(error)}`);
  }
}

export function checkJsonPath(check: Of<"json-path">, text: string): CheckVerdict {
  const path = parseJsonPath(check.path);
  if (!path.ok) return undecided(path.message);
  const json = jsonInText(text);
  if (!json.ok) return nothingThere(`${json.message}: ${shown(text)}`);
  const values = valuesAt(json.value, path.segments);
  if (values.length === 0) return decided(false, `there is nothing at ${check.path}`);
  const evidence = `${check.path} is ${shown(values.map((one) => JSON.stringify(one)).join(", "))}`;
  const isEqual = (value: unknown) => isDeepStrictEqual(value, check.equals);
  return decided(!("equals" in check) || values.some(isEqual), evidence);
}

/** The first problem; undefined when there is none. */
function validate(schema: unknown, value: unknown): string | undefined {
  if (typeof schema !== "boolean" && (typeof schema !== "object" || schema === null)) {
    throw new TypeError("a schema is an object, true or false");
  }
  if (JSON.stringify(schema).length > MAX_SCHEMA) throw new RangeError("it is too long");
  const ajv = isOldDraft(schema) ? new Ajv(OPTIONS) : new Ajv2020(OPTIONS);
  formats.default(ajv);
  const check = ajv.compile(schema);
  if (check(value)) return undefined;
  const [first] = check.errors ?? [];
  return `${first?.instancePath === "" ? "it" : (first?.instancePath ?? "it")} ${first?.message ?? "is not allowed"}`;
}

function isOldDraft(schema: object | boolean): boolean {
  const draft: unknown = typeof schema === "object" && "$schema" in schema ? schema.$schema : "";
  return typeof draft === "string" && /draft-0[4-7]/.test(draft);
}

function reasonOf(error: unknown): string {
  return typeof error === "object" && error !== null && "message" in error
    ? String(error.message)
    : "unknown reason";
}
