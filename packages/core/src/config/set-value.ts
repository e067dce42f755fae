import { lstat, realpath } from "node:fs/promises";
import { isPrototypeKey, nearNames } from "../format/names.ts";
import { writeAtomic } from "../internal/files.ts";
import { editJson, withValue } from "../internal/json-edit.ts";
import { SkillwrightError } from "../skillwright-error.ts";
import { errorCode, type JsonFile, readJsonFile } from "./read-json-file.ts";
import { isObject } from "../internal/json.ts";
import { leadsOut } from "../internal/leads-out.ts";
import { type LoadedConfiguration, narrowOption } from "./load-configuration.ts";
import {
  type Configuration,
  findOption,
  OPTION_PATHS,
  type OptionPlace,
  placeKeys,
  placeText,
} from "./options.ts";
import { serverKind } from "./option-table.ts";
import { type Doubt, textReadings, validateOption, validateOptionText } from "./validate-option.ts";

export type SetValueResult =
  | { readonly ok: true; readonly file: string; readonly created: boolean }
  | SetValueFailure;

interface SetValueFailure {
  readonly ok: false;
  /**
   * - `option-unknown`: there is no such option.
   * - `value-invalid`: the option does not take this value.
   * - `configuration-unreadable`: the file is there but cannot be read or parsed.
   * - `edit-by-hand`: the change would cost comments; `hint` says what to write.
   * - `not-a-projects`: it is not a project's to say, and would be refused when it is read.
   * - `managed`: the administrator allows less.
   * - `leads-out`: the file is a link, or a link on the way to it leads out of the project.
   */
  readonly code:
    | "option-unknown"
    | "value-invalid"
    | "configuration-unreadable"
    | "edit-by-hand"
    | "not-a-projects"
    | "leads-out"
    | "managed";
  readonly message: string;
  readonly hint?: string;
  readonly candidates?: readonly string[];
}

export interface SetValueOptions {
  /** The value is a text that stands for one, as on a command line. */
  readonly isText?: boolean;
  /** The project whose file it is, and what holds without it. Without one, the file is the user's. */
  readonly limit?: LoadedConfiguration["limit"];
  readonly project?: { readonly folder: string; readonly held: Configuration };
}

export async function setConfigurationValue(
  file: string,
  path: string,
  value: unknown,
  options: SetValueOptions = {},
): Promise<SetValueResult> {
  const { isText = false, project, limit } = options;
  const option = findOption(path);
  if (option === undefined) return unknownOption(path);
  const { place, keys } = placeWithin(option);
  const existing = await readExisting(file);
  if (existing !== undefined && "ok" in existing) return existing;
  const entry = placeKeys(place).reduce(ownValue, existing?.content);
  const valid =
    keys.length === 0
      ? wholeValue(place, value, isText)
      : valueWithin({ place, keys }, value, { entry, isText, isProjects: project !== undefined });
  if (!valid.ok) return valid;
  const wanted = withValue(undefined, keys, valid.value);
  const refusal = project && (await projectRefusal(file, place, wanted, project));
  if (refusal !== undefined) return refusal;
  const set = place.key === undefined ? wanted : { [place.key]: wanted };
  const { refused } = limit?.(place.path, set) ?? {};
  if (refused !== undefined) {
    const hint = "it is limited by managed settings: ask your administrator";
    return failed("managed", `${placeText(place)} cannot be set so: ${refused}`, { hint });
  }
  return writeValue(file, existing, [...placeKeys(place), ...keys], valid.value);
}

/** Takes one option out of a file. Works for options that are not known, so that a typing error can be removed. */
export async function unsetConfigurationValue(
  file: string,
  path: string,
): Promise<SetValueResult | { readonly ok: true; readonly file: string; readonly absent: true }> {
  const existing = await readExisting(file);
  if (existing !== undefined && "ok" in existing) return existing;
  const option = findOption(path);
  const within = option && placeWithin(option);
  const keys = within ? [...placeKeys(within.place), ...within.keys] : path.split(".");
  if (keys.reduce(ownValue, existing?.content) !== undefined) {
    return writeValue(file, existing, keys, undefined);
  }
  return option === undefined ? unknownOption(path) : { ok: true, file, absent: true };
}

async function writeValue(
  file: string,
  existing: JsonFile | undefined,
  keys: readonly string[],
  value: unknown,
): Promise<SetValueResult> {
  const text = await changedText(existing, keys, value);
  if (text === undefined) return byHand(file, keys, value);
  await replaceFile(file, text, existing?.mode);
  return { ok: true, file, created: existing === undefined };
}

type ValidValue = { readonly ok: true; readonly value: unknown } | SetValueFailure;

/** What may hardly be meant, such as a rule that cannot be read, is not written. */
function wholeValue(place: OptionPlace, value: unknown, isText: boolean): ValidValue {
  const valid = isText ? validateOptionText(place, String(value)) : validateOption(place, value);
  if (!valid.ok) return invalid(valid);
  const [doubt] = valid.doubts ?? [];
  return doubt === undefined ? { ok: true, value: valid.value } : invalid(doubt);
}

function invalid({ path, reason }: Doubt): SetValueFailure {
  return failed("value-invalid", `${path} ${reason}`);
}

function failed(
  code: SetValueFailure["code"],
  message: string,
  more: Pick<SetValueFailure, "hint" | "candidates"> = {},
): SetValueFailure {
  return { ok: false, code, message, ...more };
}

function ownValue(content: unknown, key: string): unknown {
  const isHeld = typeof content === "object" && content !== null && Object.hasOwn(content, key);
  return isHeld ? (content as Record<string, unknown>)[key] : undefined;
}

function unknownOption(path: string): SetValueFailure {
  const candidates = nearNames(path, OPTION_PATHS);
  const message = `there is no option ${JSON.stringify(path)}`;
  return failed("option-unknown", message, candidates.length === 0 ? {} : { candidates });
}

/** A project's file must be its own, or a link in it would let this command write elsewhere. */
async function projectRefusal(
  file: string,
  option: OptionPlace,
  value: unknown,
  { folder, held }: NonNullable<SetValueOptions["project"]>,
): Promise<SetValueFailure | undefined> {
  const stats = await lstat(file).catch(() => undefined);
  if (stats?.isSymbolicLink() === true || leadsOut(folder, file)) {
    const message = `${JSON.stringify(file)} is a link, or behind a link that leads out of the project`;
    return failed("leads-out", message, { hint: "edit the file that is meant by hand" });
  }
  const { path, key } = option;
  const wanted = key === undefined ? value : { [key]: value };
  const { refused } = narrowOption(path, wanted, held, (inner) => leadsOut(folder, inner));
  if (refused === undefined) return undefined;
  return failed("not-a-projects", `${placeText(option)} cannot be set so in a project: ${refused}`);
}

async function readExisting(file: string): Promise<JsonFile | SetValueFailure | undefined> {
  try {
    return await readJsonFile(file);
  } catch (error) {
    if (!SkillwrightError.isInstance(error)) throw error;
    if (errorCode(error.cause) === "ENOENT") return undefined;
    return failed("configuration-unreadable", error.message);
  }
}

/** Undefined when only a person can keep what else is in the file. */
async function changedText(
  existing: JsonFile | undefined,
  keys: readonly string[],
  value: unknown,
): Promise<string | undefined> {
  const text = existing?.text ?? "";
  const edited = await editJson(text, keys, value);
  if (edited !== undefined) return edited;
  const content = withValue(existing?.content, keys, value);
  return content === undefined || !isPlainJson(text)
    ? undefined
    : `${JSON.stringify(content, null, 2)}\n`;
}

function isPlainJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function byHand(file: string, keys: readonly string[], value: unknown): SetValueFailure {
  const piece = withValue(undefined, keys, value);
  const message = `${JSON.stringify(file)} cannot be changed without touching what else is in it`;
  const hint = `edit it so that it has: ${JSON.stringify(piece)}`;
  return failed("edit-by-hand", message, { hint });
}

/** A link stays a link to the changed file. */
async function replaceFile(file: string, text: string, mode: number | undefined): Promise<void> {
  if (mode === undefined) writeAtomic(file, text, { mode: "umask" });
  else writeAtomic(await realpath(file), text, { mode });
}

/** An option, and the keys that lead into one entry of it, such as `trust` of `mcpServers.docs.trust`. */
interface PlaceWithin {
  readonly place: OptionPlace;
  readonly keys: readonly string[];
}

interface SetWithinOptions {
  /** The server as the file has it. */
  readonly entry: unknown;
  readonly isText: boolean;
  /** Over the user's server, of which it says only what is different. */
  readonly isProjects: boolean;
}

/** Labels of servers have no dots: what follows one is a key of that server, or of its `env`. */
function placeWithin(option: OptionPlace): PlaceWithin {
  const { path, key = "" } = option;
  const [label = "", name = "", ...rest] = path === "mcpServers" ? key.split(".") : [];
  if (label === "" || name === "") return { place: option, keys: [] };
  const keys = rest.length === 0 ? [name] : [name, rest.join(".")];
  return { place: { path, key: label }, keys };
}

/** The value for a key of a server, if the server is one with it. */
function valueWithin(
  { place: server, keys }: PlaceWithin,
  given: unknown,
  { entry, isText, isProjects }: SetWithinOptions,
): ValidValue {
  const place = placeText(server);
  const [name = "", inner] = keys;
  const known = serverKind.keys;
  if (!known.includes(name) || [server.key ?? "", ...keys].some(isPrototypeKey)) {
    const candidates = nearNames(name, known).map((near) => `${place}.${near}`);
    return failed("option-unknown", `a server has no ${JSON.stringify(name)}`, { candidates });
  }
  if (inner !== undefined && name !== "env" && name !== "headers") {
    return failed("option-unknown", `${place}.${name} has nothing below it`);
  }
  const held = isObject(entry) ? entry : {};
  const problem = isProjects ? undefined : placeProblem(place, { ...held, [name]: given });
  if (problem !== undefined) return failed("value-invalid", problem.message, problem);
  const before = isObject(held[name]) ? held[name] : {};
  const results = (isText ? textReadings(String(given)) : [given]).map((reading) => {
    const value = inner === undefined ? reading : { ...before, [inner]: reading };
    return { reading, result: validateOption(server, { ...held, [name]: value }) };
  });
  const fitting = results.find(({ result }) => result.ok);
  if (fitting !== undefined) return { ok: true, value: fitting.reading };
  return invalid(results[0]?.result as Doubt);
}

/** A server is a program or an address; keys without either would make a broken server. */
function placeProblem(place: string, { command, url }: Record<string, unknown>) {
  if (command !== undefined && url !== undefined) {
    const hint = `set all of it: skillwright config set ${place} '{ … }'`;
    return { message: `${place} has either \`command\` or \`url\``, hint };
  }
  if (command !== undefined || url !== undefined) return undefined;
  const hint = `begin with ${place}.command or ${place}.url`;
  return { message: `there is no server ${place} in this file`, hint };
}
