import { openSkills, type OpenSkillsOptions, type Skills } from "@skillwright/core";
import { diskSearchStore, type RegistryOptions } from "@skillwright/core/internal";
import type { Session } from "./session.ts";
import { registryOptions } from "./registry.ts";
import type { AppHost, PlaceOptions } from "../host.ts";

/** Reading fewer takes no time that a person would notice. */
const FIRST_SHOWN = 200;

/** The skills as this command line sees them, for commands that disclose them. */
export async function openSessionSkills(
  session: Session,
  options: PlaceOptions,
  host: AppHost,
  change: (options: RegistryOptions) => RegistryOptions = (given) => given,
  search: Pick<OpenSkillsOptions, "examples"> = {},
): Promise<Skills> {
  const progress = (done: number, total: number) => {
    if (total < FIRST_SHOWN) return;
    const doing = done < total ? `reading skills … ${done} of ${total}` : "building the index …";
    host.progress?.(doing);
  };
  const { cacheDirectory, configuration } = session;
  const { skillTools, security, workspace } = configuration.values;
  return openSkills({
    ...change(await registryOptions(session, options, host)),
    configuration: { skillTools, security, workspace },
    env: host.env,
    ...search,
    ...(skillTools.cacheSkills
      ? { searchStore: { ...diskSearchStore(cacheDirectory), progress } }
      : undefined),
  });
}
