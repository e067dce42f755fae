import { openSkills, type Skills } from "@skillwright/core";
import { diskSearchStore, type RegistryOptions } from "@skillwright/core/internal";
import type { Console, GlobalOptions } from "./console.ts";
import type { Session } from "./session.ts";
import { registryOptions } from "./session-registry.ts";

/** Reading fewer takes no time that a person would notice. */
const FIRST_SHOWN = 200;

/** The skills as this command line sees them, for commands that disclose them. */
export async function openSessionSkills(
  session: Session,
  options: GlobalOptions,
  console: Console,
  change: (options: RegistryOptions) => RegistryOptions = (given) => given,
): Promise<Skills> {
  const progress = (done: number, total: number) => {
    if (total < FIRST_SHOWN) return;
    const doing = done < total ? `reading skills … ${done} of ${total}` : "building the index …";
    console.progress(doing);
  };
  const { cacheDirectory, configuration } = session;
  const { skillTools, security, workspace } = configuration.values;
  return openSkills({
    ...change(await registryOptions(session, options, console)),
    configuration: { skillTools, security, workspace },
    env: console.env,
    ...(skillTools.cacheSkills
      ? { searchStore: { ...diskSearchStore(cacheDirectory), progress } }
      : undefined),
  });
}
