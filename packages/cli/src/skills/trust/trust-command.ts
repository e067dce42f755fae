import { resolve } from "node:path";
import { type TrustStore, visibleLine } from "@skillwright/core/internal";
import type { Console, GlobalOptions } from "../../console.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import {
  openPlace,
  openSession,
  isFromMcp,
  openNamedRegistry,
  trustedName,
  trustedSkills,
  trustSkill,
  untrustSkill,
} from "@skillwright/app/internal";
import { printTrusted } from "../../mcp/host/trust-mcp-skill.ts";

export interface TrustCommandOptions extends GlobalOptions {
  readonly list?: boolean;
}

/** Without a name the project's folder is meant; with one, that skill as it is now. */
export async function trustCommand(
  name: string | undefined,
  options: TrustCommandOptions,
  console: Console,
): Promise<ExitCode> {
  const { trust, project, stateDirectory } = await openPlace(console);
  if (options.list === true) return listTrust(trust, stateDirectory, console);
  if (name === undefined) {
    await trust.setFolder(project, "trusted");
    return done(console, { folder: project, trusted: true }, `Trusted the folder ${project}`);
  }
  const session = await openSession(options, console);
  const skills = await openNamedRegistry(session, name, options, console);
  const { skill, digest } = await trustSkill(name, skills, session.trust);
  if (isFromMcp(skill)) return printTrusted(skill, digest, skills, console);
  const text = `Trusted ${skill.name} as it is now (${digest}); a change ends the trust`;
  return done(console, { skill: skill.name, digest, trusted: true }, text);
}

export async function untrustCommand(
  name: string | undefined,
  console: Console,
): Promise<ExitCode> {
  const { trust, project } = await openPlace(console);
  if (name === undefined) {
    await trust.setFolder(project, "untrusted");
    const text = `The folder ${project} is not trusted`;
    return done(console, { folder: project, trusted: false }, text);
  }
  const meant = await untrustSkill(name, trust);
  const names = meant.map((skill) => [trustedName(skill), skill.uri ?? ""].join(" ").trim());
  const text = [...new Set(names)].map((one) => `${one} is not trusted any more`).join("\n");
  return done(console, { skill: name, trusted: false, changed: true }, text);
}

function listTrust(trust: TrustStore, stateDirectory: string, console: Console): ExitCode {
  const folders = [...trust.folders].map(([path, decision]) => ({ path, decision }));
  const skills = trustedSkills(trust).map((skill) => ({
    name: trustedName(skill),
    ...(skill.uri !== undefined && { uri: skill.uri }),
    digest: skill.digest,
  }));
  if (console.json) {
    console.printJson({ folders, skills });
    return EXIT.done;
  }
  for (const { path, decision } of folders)
    console.print(`${decision.padEnd(11)}${visibleLine(path)}`);
  for (const skill of skills)
    console.print(`${"trusted".padEnd(11)}${visibleLine(Object.values(skill).join(" "))}`);
  if (folders.length + skills.length === 0) {
    console.note(`No decisions yet; they are kept in ${resolve(stateDirectory, "trust.json")}`);
  }
  return EXIT.done;
}

function done(console: Console, document: object, text: string): ExitCode {
  if (console.json) console.printJson(document);
  else console.printText(visibleLine(text));
  return EXIT.done;
}
