import { lstat, realpath } from "node:fs/promises";
import { isPrototypeKey, nearNames } from "../format/names.ts";
import { writeAtomic } from "../internal/files.ts";
import { editJson, withValue } from "../internal/json-edit.ts";
import { SkillwrightError } from "../skillwright-error.ts";
import { errorCode, type JsonFile, readJsonFile } from "./read-json-file.ts";
import { isObject } from "../internal/json.ts";
import { leadsOut } from "../internal/leads-out.ts";
import { narrowOption } from "./load-configuration.ts";
import {
  type Configuration,
  findOption,
  OPTION_PATHS,
  type OptionPlace,
  placeKeys,
  placeText,
} from "./options.ts";
import { serverKind } from "./option-table.ts";
import { textReadings, validateOption, validateOptionText } from "./validate-option.ts";

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
   * - `leads-out`: the file is a link, or a link on the way to it leads out of the project.
   */
  readonly code:
    | "option-unknown"
    | "value-invalid"
    | "configuration-unreadable"
    | "edit-by-hand"
    | "not-a-projects"
    | "leads-out";
  readonly message: string;
  readonly hint?: string;
  readonly candidates?: readonly string[];
}

export interface SetValueOptions {
  /** The value is a text that stands for one, as on a command line. */
  readonly isText?: boolean;
  /** The project whose file it is, and what holds without it. Without one, the file is the user's. */
  readonly project?: { readonly folder: string; readonly held: Configuration };
}

export async function setConfigurationValue(
  file: string,
  path: string,
  value: unknown,
  options: SetValueOptions = {},
): Promise<SetValueResult> {
  const { isText = false, project } = options;
  const option = findOption(path);
  if (option === undefined) return unknownOption(path);
  const within = placeWithin(option);
  if (within !== undefined) return setWithin(file, within, value, options);
  const valid = isText ? validateOptionText(option, String(value)) : validateOption(option, value);
  if (!valid.ok) {
    return { ok: false, code: "value-invalid", message: `${valid.path} ${valid.reason}` };
  }
  const [doubt] = valid.doubts ?? [];
  if (doubt !== undefined) {
    return { ok: false, code: "value-invalid", message: `${doubt.path} ${doubt.reason}` };
  }
  const refusal = project && (await projectRefusal(file, option, valid.value, project));
  if (refusal !== undefined) return refusal;
  const existing = await readExisting(file);
  if (existing !== undefined && "ok" in existing) return existing;
  return writeValue(file, existing, placeKeys(option), valid.value);
}

/** One key of an entry, which is looked at as the whole that it then is. */
async function setWithin(
  file: string,
  within: PlaceWithin,
  given: unknown,
  { isText = false, project }: SetValueOptions,
): Promise<SetValueResult> {
  const { server, keys } = within;
  const existing = await readExisting(file);
  if (existing !== undefined && "ok" in existing) return existing;
  const entry = placeKeys(server).reduce(ownValue, existing?.content);
  const valid = valueWithin(within, given, { entry, isText, isProjects: project !== undefined });
  if (!valid.ok) return valid;
  const wanted = withValue(undefined, keys, valid.value);
  const refusal = project && (await projectRefusal(file, server, wanted, project));
  if (refusal !== undefined) return refusal;
  return writeValue(file, existing, [...placeKeys(server), ...keys], valid.value);
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
  const keys = within
    ? [...placeKeys(within.server), ...within.keys]
    : option
      ? placeKeys(option)
      : path.split(".");
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

function ownValue(content: unknown, key: string): unknown {
  const isHeld = typeof content === "object" && content !== null && Object.hasOwn(content, key);
  return isHeld ? (content as Record<string, unknown>)[key] : undefined;
}

function unknownOption(path: string): SetValueFailure {
  const candidates = nearNames(path, OPTION_PATHS);
  return {
    ok: false,
    code: "option-unknown",
    message: `there is no option ${JSON.stringify(path)}`,
    ...(candidates.length === 0 ? undefined : { candidates }),
  };
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
    return { ok: false, code: "leads-out", message, hint: "edit the file that is meant by hand" };
  }
  const { path, key } = option;
  const wanted = key === undefined ? value : { [key]: value };
  const { refused } = narrowOption(path, wanted, held, (inner) => leadsOut(folder, inner));
  if (refused === undefined) return undefined;
  const message = `${placeText(option)} cannot be set so in a project: ${refused}`;
  return { ok: false, code: "not-a-projects", message };
}

async function readExisting(file: string): Promise<JsonFile | SetValueFailure | undefined> {
  try {
    return await readJsonFile(file);
  } catch (error) {
    if (!SkillwrightError.isInstance(error)) throw error;
    if (errorCode(error.cause) === "ENOENT") return undefined;
    return { ok: false, code: "configuration-unreadable", message: error.message };
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
  return {
    ok: false,
    code: "edit-by-hand",
    message: `${JSON.stringify(file)} cannot be changed without touching what else is in it`,
    hint: `edit it so that it has: ${JSON.stringify(piece)}`,
  };
}

/** A link stays a link to the changed file. */
async function replaceFile(file: string, text: string, mode: number | undefined): Promise<void> {
  if (mode === undefined) writeAtomic(file, text, { mode: "umask" });
  else writeAtomic(await realpath(file), text, { mode });
}

/** One key of a server, such as `mcpServers.docs.trust` or `mcpServers.docs.env.TOKEN`. */
interface PlaceWithin {
  readonly server: OptionPlace & { readonly key: string };
  readonly keys: readonly string[];
}

interface SetWithinOptions {
  /** The server as the file has it. */
  readonly entry: unknown;
  readonly isText: boolean;
  /** Over the user's server, of which it says only what is different. */
  readonly isProjects: boolean;
}

/** Labels have no dots: what follows one is a key of that server. */
function placeWithin({ path, key = "" }: OptionPlace): PlaceWithin | undefined {
  const [label = "", name = "", ...rest] = path === "mcpServers" ? key.split(".") : [];
  if (label === "" || name === "") return undefined;
  const keys = rest.length === 0 ? [name] : [name, rest.join(".")];
  return { server: { path, key: label }, keys };
}

/** The value for a key of a server, if the server is one with it. */
function valueWithin(
  { server, keys }: PlaceWithin,
  given: unknown,
  { entry, isText, isProjects }: SetWithinOptions,
): { readonly ok: true; readonly value: unknown } | SetValueFailure {
  const place = `mcpServers.${server.key}`;
  const [name = "", inner] = keys;
  const known = serverKind.keys;
  const isRecord = name === "env" || name === "headers";
  if (!known.includes(name) || [server.key, ...keys].some(isPrototypeKey)) {
    const candidates = nearNames(name, known).map((near) => `${place}.${near}`);
    const message = `a server has no ${JSON.stringify(name)}`;
    return { ok: false, code: "option-unknown", message, candidates };
  }
  if (inner !== undefined && !isRecord) {
    const message = `${place}.${name} has nothing below it`;
    return { ok: false, code: "option-unknown", message };
  }
  const held = isObject(entry) ? entry : {};
  const problem = isProjects ? undefined : placeProblem(place, { ...held, [name]: given });
  if (problem !== undefined) return { ok: false, code: "value-invalid", ...problem };
  const readings = isText ? textReadings(String(given)) : [given];
  const results = readings.map((reading) => {
    const before = held[name];
    const value =
      inner === undefined ? reading : { ...(isObject(before) && before), [inner]: reading };
    return { reading, result: validateOption(server, { ...held, [name]: value }) };
  });
  const fitting = results.find(({ result }) => result.ok);
  if (fitting !== undefined) return { ok: true, value: fitting.reading };
  const first = results[0]?.result;
  const reason = first?.ok === false ? `${first.path} ${first.reason}` : `${place} is not valid`;
  return { ok: false, code: "value-invalid", message: reason };
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
