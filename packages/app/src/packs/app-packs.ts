import {
  installSkills,
  outdatedSkills,
  type PackFailure,
  type PackSession,
  resolveScope,
  restoreSkills,
  undoLast,
  uninstallSkills,
  updateSkills,
  verifyInstalled,
} from "@skillwright/packs";
import { defaultStateDirectory } from "@skillwright/core";
import { defined } from "@skillwright/core/internal";
import type { AppPacks, PackRequest } from "../api.ts";
import { AppFailure, asAppFailure } from "../failure.ts";
import type { AppHost } from "../host.ts";
import type { AgentOptions } from "../runs/agent-session.ts";
import { openPackSettings, type PackSettings } from "./settings.ts";

type Work<Result> = (session: PackSession, settings: PackSettings) => Promise<Result | PackFailure>;

/** Installed skills of a project or a user; `changed` is called when there may be others. */
export function createPacks(
  options: AgentOptions,
  host: AppHost,
  changed: () => Promise<void>,
): AppPacks {
  const { cwd, env } = host;
  async function work<Result extends { readonly ok: true }>(
    request: PackRequest,
    act: Work<Result>,
  ): Promise<Result | PackFailure> {
    const { source, target, dryRun, signal, onProgress } = request;
    const scope = resolveScope({ cwd, ...defined({ home: env["HOME"], source, target }) });
    if (!scope.ok) return scope;
    const session = {
      ...defined({ dryRun, signal, onProgress }),
      scope,
      cwd,
      env,
      stateDirectory: defaultStateDirectory(env),
    };
    try {
      const { root: _, source: __, ...place } = options;
      const result = await act(session, await openPackSettings(place, host));
      if (result.ok && dryRun !== true) await changed();
      return result;
    } catch (error) {
      if (signal?.aborted === true && (error as Error).name === "AbortError") {
        return { ok: false, code: "canceled", message: "canceled; nothing was changed" };
      }
      if (!(error instanceof AppFailure)) throw error;
      const { message, hint } = asAppFailure(error);
      return { ok: false, code: "source-invalid", message, ...defined({ hint }) };
    }
  }
  return {
    install: (from, { skills, all, force, ...request } = {}) =>
      work(request, (session, { acceptance, limits }) =>
        installSkills(from, {
          ...session,
          ...acceptance,
          ...defined({ skills, all, force }),
          limits,
        }),
      ),
    restore: ({ force, ...request } = {}) =>
      work(request, (session, { acceptance, limits }) =>
        restoreSkills({ ...session, ...acceptance, ...defined({ force }), limits }),
      ),
    update: (names, { force, ...request } = {}) =>
      work(request, (session, { acceptance, limits }) =>
        updateSkills({ ...session, ...acceptance, ...defined({ names, force }), limits }),
      ),
    outdated: (names, request = {}) =>
      work({ ...request, dryRun: true }, (session, { limits }) =>
        outdatedSkills({ ...session, ...defined({ names }), limits }),
      ),
    uninstall: (names, request = {}) =>
      work(request, (session) => uninstallSkills({ ...session, names })),
    verify: (names, request = {}) =>
      work({ ...request, dryRun: true }, ({ scope }) => verifyInstalled(scope, defined({ names }))),
    undo: (request = {}) => work(request, (session) => undoLast(session)),
  };
}
