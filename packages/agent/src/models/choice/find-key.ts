import type { Failure } from "@skillwright/core";

/** Runs a program, without a shell, and gives what it printed; undefined when it failed. */
export type Keychain = (command: readonly string[]) => Promise<string | undefined>;

interface KeySources {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly keychain?: Keychain | undefined;
  /** Only of the user's own configuration. */
  readonly command?: readonly string[] | undefined;
  readonly variable?: string | undefined;
}

type KeyResult =
  | { readonly ok: true; readonly key: string | undefined }
  | Failure<"model-key-missing">;

/** From the command when there is one, else from the environment. */
export async function findKey(sources: KeySources): Promise<KeyResult> {
  const { env, keychain, command, variable } = sources;
  if (command !== undefined) {
    const key = await printedKey(command, keychain);
    return key === undefined
      ? missing(`the key command ${command[0] ?? ""} gave no key`, "Run it by hand to see why.")
      : { ok: true, key };
  }
  const key = variable === undefined ? "" : (env[variable] ?? "").trim();
  if (key !== "") return { ok: true, key };
  if (variable === undefined) return { ok: true, key: undefined };
  return missing(`${variable} is not set`, `Set ${variable}, or give a key command.`);
}

async function printedKey(
  command: readonly string[],
  keychain: Keychain | undefined,
): Promise<string | undefined> {
  try {
    return (await keychain?.(command))?.trim() || undefined;
  } catch {
    return undefined;
  }
}

function missing(message: string, hint: string): Failure<"model-key-missing"> {
  return { ok: false, code: "model-key-missing", message, hint };
}
