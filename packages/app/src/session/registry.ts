import { resolve } from "node:path";
import {
  defaultSources,
  directorySource,
  diskCache,
  type Logger,
  openSkills,
  type Skills,
} from "@skillwright/core";
import {
  leadsOut,
  namedSource,
  openSwitchStore,
  type RegistryOptions,
  visibleLine,
} from "@skillwright/core/internal";
import { limitFlag, managedRefusal, type Session } from "./session.ts";
import { ofSource, placesOfSource, sourceOption } from "./source.ts";
import { fullPath, trustDecision } from "./trust.ts";
import type { AppHost, PlaceOptions } from "../host.ts";

/** Which skills there are. */
export async function openSessionRegistry(
  session: Session,
  options: PlaceOptions,
  host: AppHost,
): Promise<Skills> {
  return openSkills(await registryOptions(session, options, host));
}

/** Where this command line looks for skills, and what it makes of them. */
export async function registryOptions(
  session: Session,
  options: PlaceOptions,
  host: AppHost,
): Promise<RegistryOptions> {
  const { home, configuration, cacheDirectory } = session;
  const { skillTools, workspace, lint, security, skill_roots } = configuration.values;
  const { cwd, builtinDirectory } = host;
  const flagRoots = options.root?.map((root) => flagRoot(session, root, resolve(cwd, root)));
  const source = sourceOption(options);
  const rules = security.block_angle_brackets_in_frontmatter
    ? lint.rules
    : { ...lint.rules, "angle-brackets": "off" as const };
  const named = {
    directory: fullPath(workspace.skillsDirectory ?? "", session),
    names: workspace.skillNames ?? [],
  };
  const isNamed =
    options.root === undefined &&
    (workspace.skillsDirectory !== undefined || workspace.skillNames !== undefined);
  const places = {
    cwd,
    home,
    rules,
    ...defined("skillRoots", skill_roots),
    enableProjectSkills: skillTools.enableProjectSkills,
    enableUserSkills: skillTools.enableUserSkills,
    ...defined("projectSkillsDir", skillTools.projectSkillsDir),
    ...defined("userSkillsDir", skillTools.userSkillsDir),
    ...defined("dataDir", skillTools.dataDir),
    ...defined("builtinDirectory", builtinDirectory),
  };
  const givenSources = isNamed
    ? [namedSource({ ...named, rules })]
    : flagRoots?.map((root) =>
        directorySource(root, { label: "project", configured: true, rules }),
      );
  const roots =
    source === undefined
      ? givenSources
      : (givenSources ?? defaultSources(placesOfSource(places, source)))
          // Those that are switched off have none.
          .filter((one) => one.roots.length > 0)
          .map((one) => ofSource(one, source));
  return {
    ...places,
    ...defined("roots", roots),
    disabled: await disabledSkills(session),
    isTrusted: await trustDecision(session, flagRoots ?? []),
    cacheSeconds: skillTools.skillsCacheDurationSeconds,
    ...(skillTools.cacheSkills ? { cache: diskCache(cacheDirectory) } : undefined),
    ...startOptions(session, host),
  };
}

/** Roots by hand replace all others, and named loading too: so do managed settings of either. */
function flagRoot(session: Session, given: string, root: string): string {
  const { configuration } = session;
  if (configuration.origin("workspace.skillNames").layer === "managed") {
    throw managedRefusal("--root", "only the administrator decides which skills are used", session);
  }
  const { values } = configuration;
  const named = [...(values.skill_roots ?? []), values.workspace.skillsDirectory ?? ""].find(
    (path) => path !== "" && !leadsOut(fullPath(path, session), root),
  );
  limitFlag(session, `--root ${given}`, "skill_roots", [named ?? root]);
  return root;
}

/** The strict validator costs time, so that it runs where its log is read: asked for, or verbose. */
function startOptions({ configuration }: Session, host: AppHost) {
  const { validateOnStartup } = configuration.values.skillTools;
  const isAsked = configuration.origin("skillTools.validateOnStartup").layer !== "default";
  if (!validateOnStartup || !(isAsked || host.verbose)) return undefined;
  return { validateOnStartup, logger: consoleLogger(host) };
}

function consoleLogger(host: AppHost): Logger {
  const note =
    (level: string): Logger["warn"] =>
    (message, { file, line } = {}) => {
      const where = typeof file === "string" ? `${file}:${String(line)}: ` : "";
      host.note(visibleLine(`${level}: ${where}${message}`));
    };
  const nothing = () => undefined;
  return { debug: nothing, info: nothing, warn: note("warning"), error: note("error") };
}

async function disabledSkills(session: Session): Promise<string[]> {
  const { configuration, stateDirectory, project, onDamage } = session;
  const configured = configuration.values.disabledSkills;
  try {
    const switches = await openSwitchStore(stateDirectory);
    return [...configured, ...(await switches.disabled(project))];
  } catch (error) {
    if (onDamage === undefined || !(error instanceof Error)) throw error;
    onDamage("switches", error);
    return [...configured];
  }
}

function defined<Key extends string, Value>(key: Key, value: Value | undefined) {
  return (value === undefined ? {} : { [key]: value }) as { [K in Key]?: Value };
}
