import { nearNames } from "../format/text/skill-name.ts";
import { isPrototypeKey } from "../format/yaml/prototype-keys.ts";
import type { OptionPlace } from "./option-path.ts";
import { serverSchema } from "./schema.ts";
import { textReadings, validateOption } from "./validate-option.ts";

/** One key of a server, such as `mcpServers.docs.trust` or `mcpServers.docs.env.TOKEN`. */
export interface PlaceWithin {
  readonly server: OptionPlace & { readonly key: string };
  readonly keys: readonly string[];
}

type SetWithin =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false;
      readonly code: "option-unknown" | "value-invalid";
      readonly message: string;
      readonly hint?: string;
      readonly candidates?: readonly string[];
    };

interface SetWithinOptions {
  /** The server as the file has it. */
  readonly entry: unknown;
  readonly isText: boolean;
  /** Over the user's server, of which it says only what is different. */
  readonly isProjects: boolean;
}

/** Labels have no dots: what stands behind one is a key of that server. */
export function placeWithin({ path, key = "" }: OptionPlace): PlaceWithin | undefined {
  const [label = "", name = "", ...rest] = path === "mcpServers" ? key.split(".") : [];
  if (label === "" || name === "") return undefined;
  const keys = rest.length === 0 ? [name] : [name, rest.join(".")];
  return { server: { path, key: label }, keys };
}

/** The value for a key of a server, if the server is one with it. */
export function valueWithin(
  { server, keys }: PlaceWithin,
  given: unknown,
  { entry, isText, isProjects }: SetWithinOptions,
): SetWithin {
  const place = `mcpServers.${server.key}`;
  const [name = "", inner] = keys;
  const known = Object.keys(serverSchema.shape);
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

/** A server is a program or an address; what belongs to none would be read as a broken one. */
function placeProblem(place: string, { command, url }: Record<string, unknown>) {
  if (command !== undefined && url !== undefined) {
    const hint = `set all of it: skillwright config set ${place} '{ … }'`;
    return { message: `${place} has either \`command\` or \`url\``, hint };
  }
  if (command !== undefined || url !== undefined) return undefined;
  const hint = `begin with ${place}.command or ${place}.url`;
  return { message: `there is no server ${place} in this file`, hint };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
