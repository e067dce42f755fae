import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import {
  createTrustDecision,
  defaultCacheDirectory,
  defaultStateDirectory,
  directorySource,
  diskCache,
  type FoundSkill,
  loadConfiguration,
  type LoadedConfiguration,
  openRegistry,
  openSwitchStore,
  openTrustStore,
  projectFolder,
  type RegistryOptions,
  type SkillRegistry,
  SkillwrightError,
  type TrustStore,
} from "@skillwright/core";
import type { Console, GlobalOptions } from "./console.ts";
import { CommandFailure, EXIT } from "./exit-code.ts";
import { visibleText } from "./terminal/visible-text.ts";

export interface SessionOptions extends GlobalOptions {
  /** The project counts as trusted, in this run only. Nothing is stored. */
  readonly trust?: boolean;
}

/** What most commands need: whose skills, under which configuration, trusted by whom. */
export interface Session {
  readonly project: string;
  readonly home: string;
  readonly stateDirectory: string;
  readonly cacheDirectory: string;
  readonly trust: TrustStore;
  /** By an earlier decision, or for this run. */
  readonly projectTrusted: boolean;
  readonly configuration: LoadedConfiguration;
}

export async function openSession(options: SessionOptions, console: Console): Promise<Session> {
  const { cwd, env } = console;
  const home = env["HOME"] ?? homedir();
  const project = projectFolder(cwd, home);
  const stateDirectory = defaultStateDirectory(env);
  const trust = await openTrustStore(stateDirectory).catch((cause: unknown) => {
    throw new CommandFailure(EXIT.usage, `${stateDirectory}/trust.json cannot be read`, {
      hint: "mend or remove it; nothing is trusted until then",
      cause,
    });
  });
  const projectTrusted = options.trust === true || (await trust.folder(project)) === "trusted";
  const place = { project, home, projectTrusted };
  const configuration = await loadSessionConfiguration(place, options, console);
  reportConfiguration(configuration, console);
  const cacheDirectory = defaultCacheDirectory(env);
  return { ...place, stateDirectory, cacheDirectory, trust, configuration };
}

/** The same, with the project trusted from now on: its configuration is read, which narrows. */
export async function trustedSession(
  session: Session,
  options: GlobalOptions,
  console: Console,
): Promise<Session> {
  const trusted = { ...session, projectTrusted: true };
  const configuration = await loadSessionConfiguration(trusted, options, console);
  const reported = new Set(session.configuration.files.map(({ file }) => file));
  const problems = configuration.problems.filter(
    ({ file }) => file !== undefined && !reported.has(file),
  );
  reportConfiguration({ ...configuration, problems, notes: [] }, console);
  return { ...trusted, configuration };
}

async function loadSessionConfiguration(
  { project, home, projectTrusted }: Pick<Session, "project" | "home" | "projectTrusted">,
  { config }: GlobalOptions,
  { cwd, env }: Console,
): Promise<LoadedConfiguration> {
  try {
    return await loadConfiguration({
      cwd,
      project,
      home,
      env,
      projectTrusted,
      ...(config === undefined ? undefined : { configFile: config }),
    });
  } catch (error) {
    if (!SkillwrightError.isInstance(error)) throw error;
    throw new CommandFailure(EXIT.usage, error.message, { cause: error });
  }
}

/** Which skills there are; all are trusted if the session's project is. */
export async function openSessionRegistry(
  session: Session,
  options: GlobalOptions,
  console: Console,
): Promise<SkillRegistry> {
  return openRegistry(await registryOptions(session, options, console));
}

/** Where this command line looks for skills, and what it makes of them. */
export async function registryOptions(
  session: Session,
  options: GlobalOptions,
  { cwd }: Console,
): Promise<RegistryOptions> {
  const { project, home, configuration, stateDirectory, cacheDirectory } = session;
  const { skillTools, workspace, lint, security, disabledSkills, skill_roots } =
    configuration.values;
  const flagRoots = options.root?.map((root) => resolve(cwd, root));
  const trustedRoots = new Set([...(flagRoots ?? []), ...rootsTheUserNamed(session)]);
  const switches = await openSwitchStore(stateDirectory);
  const rules = security.block_angle_brackets_in_frontmatter
    ? lint.rules
    : { ...lint.rules, "angle-brackets": "off" as const };
  const named = workspace.skillsDirectory !== undefined || workspace.skillNames !== undefined;
  return {
    cwd,
    home,
    rules,
    ...(flagRoots === undefined
      ? undefined
      : {
          roots: flagRoots.map((root) =>
            directorySource(root, { label: "project", configured: true, rules }),
          ),
        }),
    ...(named && flagRoots === undefined
      ? {
          directory: fullPath(workspace.skillsDirectory ?? "", session),
          names: workspace.skillNames ?? [],
        }
      : undefined),
    ...(skill_roots === undefined ? undefined : { skillRoots: skill_roots }),
    enableProjectSkills: skillTools.enableProjectSkills,
    enableUserSkills: skillTools.enableUserSkills,
    ...defined("projectSkillsDir", skillTools.projectSkillsDir),
    ...defined("userSkillsDir", skillTools.userSkillsDir),
    ...defined("dataDir", skillTools.dataDir),
    disabled: [...disabledSkills, ...(await switches.disabled(project))],
    isTrusted: await trustDecision(session, trustedRoots),
    cacheSeconds: skillTools.skillsCacheDurationSeconds,
    ...(skillTools.cacheSkills ? { cache: diskCache(cacheDirectory) } : undefined),
  };
}

async function trustDecision(
  { projectTrusted, trust, project }: Session,
  trustedRoots: ReadonlySet<string>,
): Promise<(skill: FoundSkill) => boolean | Promise<boolean>> {
  if (projectTrusted) return () => true;
  return createTrustDecision({ store: trust, project, trustedRoots });
}

/**
 * Roots by the user's own configuration. A relative one leads into whatever project is open, so it is
 * not the user who says what is in it.
 */
function rootsTheUserNamed(session: Session): string[] {
  const { values, origin } = session.configuration;
  const { skillTools, workspace } = values;
  const named: readonly (readonly [path: string, roots: readonly (string | undefined)[]])[] = [
    ["trust.roots", values.trust.roots ?? []],
    ["skill_roots", values.skill_roots ?? []],
    ["skillTools.projectSkillsDir", [skillTools.projectSkillsDir]],
    ["skillTools.dataDir", [skillTools.dataDir]],
    ["workspace.skillsDirectory", [workspace.skillsDirectory]],
  ];
  return named
    .filter(([path]) => !["project", "appsettings"].includes(origin(path).layer))
    .flatMap(([, roots]) => roots)
    .filter((root) => root !== undefined)
    .filter((root) => isAbsolute(root) || isInHome(root))
    .map((root) => fullPath(root, session));
}

/** Relative paths count from the project; an empty one is none. */
function fullPath(path: string, { home, project }: Session): string {
  if (path === "") return "";
  return isInHome(path) ? join(home, path.slice(1)) : resolve(project, path);
}

function isInHome(path: string): boolean {
  return path === "~" || path.startsWith("~/");
}

function reportConfiguration({ problems, notes }: LoadedConfiguration, console: Console): void {
  for (const { path, reason, used, file } of problems) {
    const where = file === undefined ? "" : ` in ${file}`;
    const instead = used === undefined ? "" : `; ${JSON.stringify(used)} is used`;
    console.note(visibleText(`warning: ${path}${where} ${reason}${instead}`));
  }
  if (!console.verbose) return;
  for (const { message, file } of notes) {
    console.note(visibleText(`note: ${file === undefined ? "" : `${file}: `}${message}`));
  }
}

function defined<Key extends string>(key: Key, value: string | undefined) {
  return (value === undefined ? {} : { [key]: value }) as { [K in Key]?: string };
}
