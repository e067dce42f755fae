import type { Skills } from "@skillwright/core";
import { createSkillServer } from "@skillwright/mcp";
import type { Console } from "../../console.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import {
  openSessionSkills,
  openSession,
  type Session,
  requireTrust,
  LiveDecisions,
  noteLogger,
  openServeRuntime,
} from "@skillwright/app/internal";
import { cancelOnInterrupt } from "../../terminal/cancel-on-interrupt.ts";
import { VERSION } from "../../version.ts";
import { httpPlace } from "./http-place.ts";
import { noteUnserved } from "./note-unserved.ts";
import { serveOverHttp } from "./serve-over-http.ts";
import { serveOverStdio } from "./serve-over-stdio.ts";
import type { ServeOptions } from "./serve-options.ts";

/** Serves the skills until the client goes away or somebody stops it. */
export async function serveCommand(options: ServeOptions, console: Console): Promise<ExitCode> {
  // Wrong usage is said before anything is opened.
  const place = httpPlace(options, console.env);
  // A client is at stdin, not a person.
  const asking = place === undefined ? { ...console, canAsk: false } : console;
  const { session, skills, decisions } = await openTrusted(options, asking);
  noteUnserved(skills.diagnostics(), console);
  const logger = noteLogger(console);
  const runtime = await openServeRuntime({ session, skills, options, host: asking });
  const { audit, gate, approver, executor } = runtime;
  const server = createSkillServer({
    skills,
    version: VERSION,
    gate,
    audit,
    approver,
    cwd: console.cwd,
    home: session.home,
    logger,
    haveDecisionsChanged: decisions.haveChanged,
    ...(executor && { executor }),
  });
  // Clients are answered meanwhile.
  const watching = server.watch().catch((error: unknown) => {
    console.note(`warning: changes of skills are not seen: ${String(error)}`);
  });
  try {
    await cancelOnInterrupt((signal) =>
      place === undefined
        ? serveOverStdio(server, { console, logger, signal })
        : serveOverHttp(server, place, { console, logger, signal }),
    );
  } finally {
    await server.close();
    await skills.close();
    await runtime.close();
    // It may have begun to watch only now, and would keep the process.
    void watching.then(() => skills.close());
  }
  return EXIT.done;
}

interface ServedSkills {
  readonly session: Session;
  readonly skills: Skills;
  readonly decisions: LiveDecisions;
}

/** The skills are opened anew only for a person who has just trusted the project. */
async function openTrusted(options: ServeOptions, console: Console): Promise<ServedSkills> {
  const opened = await openServed(await openSession(options, console), options, console);
  const { session } = await requireTrust(opened.session, opened.skills, options, console);
  if (session === opened.session) return opened;
  await opened.skills.close();
  return openServed(session, options, console);
}

async function openServed(
  session: Session,
  options: ServeOptions,
  console: Console,
): Promise<ServedSkills> {
  const decisions = await LiveDecisions.open(session, options, console);
  const skills = await openSessionSkills(session, options, console, decisions.change);
  return { session, skills, decisions };
}
