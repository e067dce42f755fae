import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import {
  createTrustDecision,
  defaultCacheDirectory,
  defaultStateDirectory,
  directorySource,
  diskCache,
  loadConfiguration,
  type LoadedConfiguration,
  openSkills,
  openSwitchStore,
  openTrustStore,
  projectFolder,
  type Skills,
  SkillwrightError,
  type TrustStore,
} from "@skillwright/core";
import type { Console, GlobalOptions } from "./console.ts";
import { CommandFailure, EXIT } from "./exit-code.ts";
import { visibleText } from "./terminal/visible-text.ts";

/** What most commands need: whose skills, under which configuration, trusted by whom. */
export interface Session {
  readonly project: string;
  readonly home: string;
  readonly stateDirectory: string;
  readonly cacheDirectory: string;
  readonly trust: TrustStore;
  readonly projectTrusted: boolean;
  readonly configuration: LoadedConfiguration;
}

export async function openSession(options: GlobalOptions, console: Console): Promise<Session> {
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
  const projectTrusted = (await trust.folder(project)) === "trusted";
  const configuration = await loadConfiguration({
    cwd,
    project,
    home,
    env,
    projectTrusted,
    ...(options.config === undefined ? undefined : { configFile: options.config }),
  }).catch((error: unknown) => {
    if (!SkillwrightError.isInstance(error)) throw error;
    throw new CommandFailure(EXIT.usage, error.message, { cause: error });
  });
  reportConfiguration(configuration, console);
  const cacheDirectory = defaultCacheDirectory(env);
  return { project, home, stateDirectory, cacheDirectory, trust, projectTrusted, configuration };
}

/** The skills as this command line sees them. */
export async function openSessionSkills(
  session: Session,
  options: GlobalOptions,
  { cwd }: Console,
): Promise<Skills> {
  const { project, home, configuration, trust, stateDirectory, cacheDirectory } = session;
  const { skillTools, workspace, lint, security, disabledSkills, skill_roots } =
    configuration.values;
  const flagRoots = options.root?.map((root) => resolve(cwd, root));
  const trustedRoots = new Set([...(flagRoots ?? []), ...rootsTheUserNamed(session)]);
  const switches = await openSwitchStore(stateDirectory);
  const rules = security.block_angle_brackets_in_frontmatter
    ? lint.rules
    : { ...lint.rules, "angle-brackets": "off" as const };
  const named = workspace.skillsDirectory !== undefined || workspace.skillNames !== undefined;
  return openSkills({
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
      ? { directory: workspace.skillsDirectory ?? "", names: workspace.skillNames ?? [] }
      : undefined),
    ...(skill_roots === undefined ? undefined : { skillRoots: skill_roots }),
    enableProjectSkills: skillTools.enableProjectSkills,
    enableUserSkills: skillTools.enableUserSkills,
    ...defined("projectSkillsDir", skillTools.projectSkillsDir),
    ...defined("userSkillsDir", skillTools.userSkillsDir),
    ...defined("dataDir", skillTools.dataDir),
    disabled: [...disabledSkills, ...(await switches.disabled(project))],
    isTrusted: await createTrustDecision({ store: trust, project, trustedRoots }),
    cacheSeconds: skillTools.skillsCacheDurationSeconds,
    ...(skillTools.cacheSkills ? { cache: diskCache(cacheDirectory) } : undefined),
  });
}

/**
 * Roots by the user's own configuration. A relative one leads into whatever project is open, so it is
 * not the user who says what is in it.
 */
function rootsTheUserNamed({ configuration: { values, origin }, home }: Session): string[] {
  const isOwn =
    origin("skill_roots").layer !== "project" && origin("skill_roots").layer !== "appsettings";
  return [...(values.trust.roots ?? []), ...(isOwn ? (values.skill_roots ?? []) : [])]
    .map((root) => (root.startsWith("~/") ? join(home, root.slice(2)) : root))
    .filter(isAbsolute);
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
