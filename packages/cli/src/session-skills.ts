import { diskSearchStore, openSkills, type Skills } from "@skillwright/core";
import type { Console, GlobalOptions } from "./console.ts";
import { registryOptions, type Session } from "./session.ts";

/** The skills as this command line sees them, for commands that disclose them. */
export async function openSessionSkills(
  session: Session,
  options: GlobalOptions,
  console: Console,
): Promise<Skills> {
  const { cacheDirectory, configuration } = session;
  const { skillTools, security, workspace } = configuration.values;
  return openSkills({
    ...(await registryOptions(session, options, console)),
    configuration: { skillTools, security, workspace },
    ...(skillTools.cacheSkills ? { searchStore: diskSearchStore(cacheDirectory) } : undefined),
  });
}
