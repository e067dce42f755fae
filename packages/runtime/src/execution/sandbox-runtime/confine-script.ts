import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { basename } from "node:path";
import type { RunTask } from "../run-task.ts";
import { type WritablePlaces, writablePlaces } from "../control-files.ts";
import { NetworkRecord } from "../network/domain-rule.ts";
import { refuseNewControlFiles } from "../refuse-new-control-files.ts";
import type { Confinement } from "../run-as-process.ts";
import type { SandboxRuntimeOptions } from "./sandbox-runtime-executor.ts";
import type { SandboxRuntimeSession } from "./sandbox-runtime-session.ts";

/** Where people keep what is theirs. All else can be read, as far as this user may. */
const HOMES = ["/home", "/Users", "/root"];

/** Holds one script to what it may read, write and reach. */
export function confineScript(
  session: SandboxRuntimeSession,
  { request, checked, directory, options }: RunTask<SandboxRuntimeOptions>,
): Confinement {
  const { cwd, domains } = checked;
  const record = new NetworkRecord();
  let isOpen = false;
  let places: WritablePlaces | undefined;
  return {
    sandbox: "sandbox-runtime",
    unenforced: ["reads", ...(process.platform === "linux" ? [] : ["descendants"])],
    async wrap(command, { readable, writable }) {
      const checkedPlaces =
        cwd === undefined ? undefined : writablePlaces(cwd, request.writable ?? []);
      if (checkedPlaces?.ok === false) return checkedPlaces;
      places = checkedPlaces;
      const opened = await session.open(domains, options.admission ?? {}, record);
      if (!opened.ok) return opened;
      isOpen = true;
      const all = [...writable, ...(places?.writable ?? [])];
      return session.wrap(command, {
        denyRead: [...new Set([homedir(), ...HOMES])].filter((path) => existsSync(path)),
        allowRead: [...new Set([...readable, ...all])],
        allowWrite: all,
        denyWrite: [
          ...(places?.protectedPaths ?? []),
          ...(places?.placeholders ?? []),
          ...(places?.absent ?? []),
        ],
      });
    },
    async finish() {
      if (isOpen) await session.close();
      const failure =
        places === undefined ? undefined : refuseNewControlFiles(places, basename(directory));
      return {
        ...(failure === undefined ? {} : { failure }),
        ...(domains.length === 0 ? {} : { network: record.list() }),
      };
    },
  };
}
