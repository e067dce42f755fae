import type { CaseSource } from "../case-source.ts";
import type { DocumentPath } from "../document/data-document.ts";
import { durationOf, type Fields } from "../fields.ts";
import { reportOnce } from "./unsupported.ts";

interface SettingPlace {
  readonly source: CaseSource;
  readonly fields: Fields;
  readonly path: DocumentPath;
}

const MAX_TRIALS = 1000;

/** How often a case is run. What is no such number is a warning, and as if nothing were said. */
export function trialsOf(place: SettingPlace, ...names: readonly string[]): number | undefined {
  const isCount = (value: unknown) =>
    typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= MAX_TRIALS;
  const wanted = `a whole number from 1 to ${MAX_TRIALS}`;
  return settingOf(
    place,
    names,
    (value) => (isCount(value) ? (value as number) : undefined),
    wanted,
  );
}

/** Milliseconds. */
export function timeoutOf(place: SettingPlace, ...names: readonly string[]): number | undefined {
  return settingOf(place, names, durationOf, "a time such as 30s");
}

function settingOf(
  { source, fields, path }: SettingPlace,
  names: readonly string[],
  read: (value: unknown) => number | undefined,
  wanted: string,
): number | undefined {
  const name = names.find((one) => Object.hasOwn(fields, one) && fields[one] !== null);
  if (name === undefined || fields[name] === undefined) return undefined;
  const value = read(fields[name]);
  if (value === undefined) {
    const message = `${name} is not ${wanted}, and is left out`;
    reportOnce(source, [...path, name], "case-invalid", message, "warning");
  }
  return value;
}
