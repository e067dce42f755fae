import {
  defaultStateDirectory,
  loadConfiguration,
  type SkillRecord,
  type Skills,
  SkillwrightError,
} from "@skillwright/core";
import {
  defaultCacheDirectory,
  leadsOut,
  type LoadedConfiguration,
  type OptionPath,
  openTrustStore,
  projectFolder,
  type TrustStore,
  visibleLine,
} from "@skillwright/core/internal";
import { homedir } from "node:os";
import { AppFailure } from "../failure.ts";
import type { AppHost, PlaceOptions } from "../host.ts";

export interface SessionOptions extends PlaceOptions {
  /** The project counts as trusted, in this run only. Nothing is stored. */
  readonly trust?: boolean;
  /** The strongest layer of the configuration. */
  readonly settings?: NonNullable<Parameters<typeof loadConfiguration>[0]["flags"]>;
}

/** Where a command works, and whom its user trusts: all that a decision on trust needs. */
export interface SessionPlace {
  readonly project: string;
  readonly home: string;
  readonly stateDirectory: string;
  readonly trust: TrustStore;
}

/** What most commands need: whose skills, under which configuration, trusted by whom. */
export interface Session extends SessionPlace {
  readonly cacheDirectory: string;
  /** By an earlier decision, or for this run. */
  readonly projectTrusted: boolean;
  readonly configuration: LoadedConfiguration;
  /** Told of what is damaged, which is then passed over. Without it the command ends. */
  readonly onDamage?: OnDamage;
}

type OnDamage = (part: "trust" | "configuration" | "switches", error: Error) => void;

export async function openSession(
  options: SessionOptions,
  host: AppHost,
  onDamage?: OnDamage,
): Promise<Session> {
  const place = await openPlace(host, onDamage);
  const { trust, project } = place;
  const projectTrusted = options.trust === true || (await trust.folder(project)) === "trusted";
  const opened = { ...place, projectTrusted, ...(onDamage && { onDamage }) };
  const configuration = await loadSessionConfiguration(opened, options, host);
  reportConfiguration(configuration, host);
  const session = { ...opened, cacheDirectory: defaultCacheDirectory(host.env), configuration };
  return isTrustManaged(session) ? withManagedTrust(session, options, host) : session;
}

/** Whether managed `trust.roots` are all that is trusted, beside the built-in skills. */
export function isTrustManaged({ configuration }: Session): boolean {
  return configuration.origin("trust.roots").layer === "managed";
}

function withManagedTrust(session: Session, { trust }: SessionOptions, host: AppHost): Session {
  const { configuration, project, home, projectTrusted } = session;
  const roots = configuration.values.trust.roots ?? [];
  const isCovered = roots.some((root) => !leadsOut(root.replace(/^~(?=\/|$)/, home), project));
  if (!isCovered && trust === true) {
    throw managedRefusal("--trust", "only the administrator decides what is trusted", session);
  }
  if (!isCovered && projectTrusted) {
    host.note(`note: your trust in ${visibleLine(project)} does not count: ${managedBy(session)}`);
  }
  return { ...session, projectTrusted: projectTrusted && isCovered, trust: NO_TRUST };
}

/** Of a flag that wants more than the administrator allows. */
export function managedRefusal(flag: string, reason: string, session: Session): AppFailure {
  return new AppFailure("usage", `${flag} is refused: ${reason}`, {
    code: "managed",
    hint: `${managedBy(session)}; ask your administrator`,
  });
}

/** The value of a flag, unless managed settings refuse it. */
export function limitFlag<Value>(
  session: Session,
  flag: string,
  path: OptionPath,
  value: Value,
): Value {
  const { refused } = session.configuration.limit(path, value);
  if (refused !== undefined) throw managedRefusal(flag, refused, session);
  return value;
}

/** Says so where managed settings decide an option. */
export function managedOption(session: Session, path: OptionPath): string | undefined {
  const isManaged = session.configuration.origin(path).layer === "managed";
  return isManaged ? managedBy(session) : undefined;
}

function managedBy({ configuration }: Session): string {
  const file = configuration.files.find(({ layer }) => layer === "managed")?.file ?? "";
  return `managed settings are in ${visibleLine(file)}`;
}

/** Reads no configuration, so that trust can be taken back whatever is in it. */
export async function openPlace({ cwd, env }: AppHost, onDamage?: OnDamage): Promise<SessionPlace> {
  const home = env["HOME"] ?? homedir();
  const project = projectFolder(cwd, home);
  const stateDirectory = defaultStateDirectory(env);
  const trust = await openTrustStore(stateDirectory).catch((cause: Error) => {
    if (onDamage === undefined) {
      throw new AppFailure("usage", `${stateDirectory}/trust.json cannot be read`, {
        hint: "fix or remove it; nothing is trusted until then",
        cause,
      });
    }
    onDamage("trust", cause);
    return NO_TRUST;
  });
  return { project, home, stateDirectory, trust };
}

/** Of whoever has no say in it. */
export const NO_TRUST: TrustStore = {
  folders: new Map(),
  digests: new Map(),
  folder: () => Promise.resolve("unknown"),
  setFolder: () => Promise.resolve(),
  trustDigest: () => Promise.resolve(),
  untrustName: () => Promise.resolve(false),
};

/** The same, with the project trusted from now on: its configuration is read, which narrows. */
export async function trustedSession(
  session: Session,
  options: PlaceOptions,
  host: AppHost,
): Promise<Session> {
  const trusted = { ...session, projectTrusted: true };
  const configuration = await loadSessionConfiguration(trusted, options, host);
  const reported = new Set(session.configuration.files.map(({ file }) => file));
  const problems = configuration.problems.filter(
    ({ file }) => file !== undefined && !reported.has(file),
  );
  const notes = configuration.notes.filter(
    ({ file, isWarning }) => isWarning === true && file !== undefined && !reported.has(file),
  );
  reportConfiguration({ ...configuration, problems, notes }, host);
  return { ...trusted, configuration };
}

async function loadSessionConfiguration(
  { project, home, projectTrusted, onDamage }: Omit<Session, "configuration" | "cacheDirectory">,
  { config, settings }: SessionOptions,
  { cwd, env }: AppHost,
): Promise<LoadedConfiguration> {
  try {
    return await loadConfiguration({
      cwd,
      project,
      home,
      env,
      projectTrusted,
      ...(config === undefined ? undefined : { configFile: config }),
      ...(settings && { flags: settings }),
      ...(onDamage && { onUnreadable: (error) => onDamage("configuration", error) }),
    });
  } catch (error) {
    if (!SkillwrightError.isInstance(error)) throw error;
    throw new AppFailure("usage", error.message, { cause: error });
  }
}

function reportConfiguration({ problems, notes }: LoadedConfiguration, host: AppHost): void {
  for (const { path, reason, used, file, variable } of problems) {
    const place = file ?? variable;
    const where = place === undefined ? "" : ` in ${place}`;
    const instead = used === undefined ? "" : `; ${JSON.stringify(used)} is used`;
    host.note(visibleLine(`warning: ${path}${where} ${reason}${instead}`));
  }
  for (const { message, file, isWarning = false } of notes) {
    if (!isWarning && !host.verbose) continue;
    const what = isWarning ? "warning" : "note";
    host.note(visibleLine(`${what}: ${file === undefined ? "" : `${file}: `}${message}`));
  }
}

/** The skill, or the end of the command with what the person may have meant. */
export function findOrFail(skills: Skills, name: string): SkillRecord {
  const found = skills.find(name);
  if (found.ok) return found.skill;
  const { message, candidates } = found;
  throw new AppFailure("no", message, {
    hint:
      candidates.length > 0
        ? `did you mean ${candidates.join(", ")}?`
        : name.includes("@mcp:")
          ? "servers are those of mcpServers; with --root or --source none is asked: skillwright mcp check"
          : "skillwright list shows all skills, skillwright explain <name> why one is missing",
  });
}
