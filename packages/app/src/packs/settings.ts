import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Configuration } from "@skillwright/core/internal";
import {
  type Acceptance,
  type PackLimits,
  readSuppressions,
  SUPPRESSION_FILE,
  type Suppression,
} from "@skillwright/packs";
import { limitFlag, managedOption, openSession, type Session } from "../session/session.ts";
import { AppFailure } from "../failure.ts";
import type { AppHost, PlaceOptions } from "../host.ts";

type FailOn = Configuration["packs"]["failOn"];

/** What is asked of skills before they are put in place, as flags. */
export interface AcceptanceOptions extends PlaceOptions {
  readonly failOn?: FailOn;
  readonly key?: readonly string[];
  readonly requireSignature?: boolean;
  readonly acceptSigner?: boolean;
}

/** The same after flags and configuration came together; flags win. */
export interface PackSettings {
  readonly limits: Partial<PackLimits>;
  readonly acceptance: Acceptance & { readonly trustedKeys: readonly string[] };
}

export async function openPackSettings(
  options: AcceptanceOptions,
  host: AppHost,
): Promise<PackSettings> {
  const session = await openSession(options, host);
  refuseProblems(session);
  const { packs } = session.configuration.values;
  const { failOn, key } = options;
  if (failOn !== undefined) limitFlag(session, `--fail-on ${failOn}`, "packs.failOn", failOn);
  if (key !== undefined) limitFlag(session, "--key", "packs.trustedKeys", key);
  const trustedKeys = await Promise.all(
    key?.map((key) => readKey(key, resolve(host.cwd, key))) ??
      packs.trustedKeys.map((key) => readKey(key, fromHome(key, session.home))),
  );
  const revokedKeys = await Promise.all(
    packs.revokedKeys.map((key) => readKey(key, fromHome(key, session.home))),
  );
  const requireSignature = options.requireSignature === true || packs.requireSignature;
  if (requireSignature && trustedKeys.length === 0) throw noKeys();
  return {
    limits: packs.limits,
    acceptance: {
      failOn: failOn ?? packs.failOn,
      suppressions: suppressionsOf(session),
      trustedKeys,
      revokedKeys,
      requireSignature,
      acceptSigner: options.acceptSigner === true,
    },
  };
}

export interface ScanSettings {
  readonly failOn: FailOn;
  readonly suppressions: readonly Suppression[];
}

export async function openScanSettings(
  { failOn, ...options }: AcceptanceOptions,
  host: AppHost,
): Promise<ScanSettings> {
  const session = await openSession(options, host);
  const suppressions = suppressionsOf(session);
  if (failOn !== undefined) return { failOn, suppressions };
  refuseProblems(session);
  return { failOn: scanFailOn(session), suppressions };
}

/** The severity from which `scan` fails: never later than the install of the same skill would. */
function scanFailOn(session: Session): FailOn {
  const { failOn: configured } = session.configuration.values.packs;
  return configured === "low" || configured === "medium" ? configured : "high";
}

/** Of the user and the project; none where managed settings decide what is refused. */
function suppressionsOf(session: Session): readonly Suppression[] {
  if (managedOption(session, "packs.failOn") !== undefined) return [];
  const { home, project } = session;
  return [...new Set([home, project])].flatMap((folder) => {
    const file = join(folder, SUPPRESSION_FILE);
    try {
      return readSuppressions(file);
    } catch (cause) {
      const message = `${file} cannot be used: ${(cause as Error).message}`;
      const hint = 'it is {"suppressions":[{"rule":"…","finding":"…","reason":"…"}]}';
      throw new AppFailure("usage", message, { code: "configuration-invalid", hint, cause });
    }
  });
}

/** A list of keys that lost one is not the list that was meant. A project can only narrow. */
function refuseProblems({ configuration }: Session): void {
  const problem = configuration.problems.find(
    ({ path, layer }) =>
      path.startsWith("packs.") && layer !== "project" && layer !== "appsettings",
  );
  if (problem === undefined) return;
  const { path, reason, file, variable } = problem;
  throw new AppFailure("usage", `${path} in ${file ?? variable} ${reason}`, {
    code: "configuration-invalid",
    hint: "fix it; `skillwright config` shows each setting and where it comes from",
  });
}

/** Keys as given: text, or a file that holds them. */
async function readKey(key: string, file: string): Promise<string> {
  if (/^(?:(?:sk-)?ssh-\S+ |SHA256:|-----BEGIN )/.test(key)) return key;
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    const message = `the key ${JSON.stringify(key)} cannot be read`;
    const hint = "give a file, a line `ssh-ed25519 AAAA…`, or a fingerprint `SHA256:…`";
    throw new AppFailure("usage", message, { code: "key-unreadable", hint, cause });
  }
}

function fromHome(path: string, home: string): string {
  return path.startsWith("~/") ? join(home, path.slice(2)) : path;
}

/** Anybody can sign: without a key it is not said whose signature would do. */
function noKeys(): AppFailure {
  return new AppFailure("usage", "a signature is required, and no key is trusted", {
    code: "key-missing",
    hint: "give --key author.pub, or: skillwright config set --user packs.trustedKeys <keys>",
  });
}
