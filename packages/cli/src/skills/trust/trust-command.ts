import { resolve } from "node:path";
import type { Console, GlobalOptions } from "../../console.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { openSession, openSessionRegistry, type Session } from "../../session.ts";
import { visibleText } from "../../terminal/visible-text.ts";
import { findOrFail } from "../find-or-fail.ts";

export interface TrustCommandOptions extends GlobalOptions {
  readonly list?: boolean;
}

/** Without a name the project's folder is meant; with one, that skill as it is now. */
export async function trustCommand(
  name: string | undefined,
  options: TrustCommandOptions,
  console: Console,
): Promise<ExitCode> {
  const session = await openSession(options, console);
  if (options.list === true) return listTrust(session, console);
  if (name === undefined) {
    await session.trust.setFolder(session.project, "trusted");
    return done(
      console,
      { folder: session.project, trusted: true },
      `Trusted the folder ${session.project}`,
    );
  }
  const skills = await openSessionRegistry(session, options, console);
  const skill = findOrFail(skills, name);
  const digest = await skills.digest(skill);
  await session.trust.trustDigest(digest, skill.name);
  const text = `Trusted ${skill.name} as it is now (${digest}); a change ends the trust`;
  return done(console, { skill: skill.name, digest, trusted: true }, text);
}

export async function untrustCommand(
  name: string | undefined,
  options: GlobalOptions,
  console: Console,
): Promise<ExitCode> {
  const session = await openSession(options, console);
  if (name === undefined) {
    await session.trust.setFolder(session.project, "untrusted");
    const text = `The folder ${session.project} is not trusted`;
    return done(console, { folder: session.project, trusted: false }, text);
  }
  const changed = await session.trust.untrustName(name);
  const text = changed
    ? `${name} is not trusted any more`
    : `${name} was not trusted by its content`;
  return done(console, { skill: name, trusted: false, changed }, text);
}

function listTrust({ trust, stateDirectory }: Session, console: Console): ExitCode {
  const folders = [...trust.folders].map(([path, decision]) => ({ path, decision }));
  const skills = [...trust.digests].map(([digest, name]) => ({ name, digest }));
  if (console.json) {
    console.printJson({ folders, skills });
    return EXIT.done;
  }
  for (const { path, decision } of folders)
    console.print(`${decision.padEnd(11)}${visibleText(path)}`);
  for (const { name, digest } of skills)
    console.print(`${"trusted".padEnd(11)}${visibleText(name)} ${digest}`);
  if (folders.length + skills.length === 0) {
    console.note(`No decisions yet; they are kept in ${resolve(stateDirectory, "trust.json")}`);
  }
  return EXIT.done;
}

function done(console: Console, document: object, text: string): ExitCode {
  if (console.json) console.printJson(document);
  else console.print(visibleText(text));
  return EXIT.done;
}
