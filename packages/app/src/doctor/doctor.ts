import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { Skills } from "@skillwright/core";
import { openSession, type Session, type SessionOptions } from "../session/session.ts";
import { openSessionRegistry } from "../session/registry.ts";
import type { Check } from "./check.ts";
import { executionChecks } from "./execution-checks.ts";
import { policyCheck } from "./policy-check.ts";
import { scanProblems } from "./scan-problems.ts";
import type { AppHost } from "../host.ts";

/** Looks at everything a skill may need on this machine. What is damaged is a finding, not the end. */
export async function doctorChecks(
  options: SessionOptions,
  host: AppHost,
): Promise<readonly Check[]> {
  const damages: Check[] = [];
  const session = await openSession(options, host, (part, { message }) => {
    const hint = "fix or remove the file; the other checks run without it";
    damages.push({ name: part, status: "error", message, hint });
  });
  const skills = await openSessionRegistry(session, options, host);
  const settled = [configurationCheck(session), trustCheck(session)];
  return [
    ...(await executionChecks(session)),
    ...damages,
    ...managedCheck(session),
    ...settled.filter(({ name }) => damages.every((damage) => damage.name !== name)),
    await policyCheck(session.configuration.values),
    await folder("cache", session.cacheDirectory),
    await folder("state", session.stateDirectory),
    ...(await rootChecks(skills)),
    skillsCheck(skills),
    ...serversCheck(session),
  ];
}

function managedCheck({ configuration: { files } }: Session): Check[] {
  return files
    .filter(({ layer }) => layer === "managed")
    .map(({ file }) => {
      const message = `${file}: only root can change it; everyone else's settings only narrow it`;
      return { name: "managed", status: "ok", message };
    });
}

function trustCheck({ project, projectTrusted }: Session): Check {
  return {
    name: "trust",
    status: projectTrusted ? "ok" : "warning",
    message: `${project} is ${projectTrusted ? "trusted" : "not trusted"}`,
    ...(projectTrusted ? undefined : { hint: "skillwright trust" }),
  };
}

function skillsCheck(skills: Skills): Check {
  const errors = skills.diagnostics().filter(({ severity }) => severity === "error").length;
  return {
    name: "skills",
    status: errors === 0 ? "ok" : "warning",
    message: `${skills.all.length} skills, ${skills.shadowed.length} shadowed, ${errors} errors`,
    ...(errors === 0 ? undefined : { hint: "skillwright list shows where they are" }),
  };
}

/** They are not started for a look at this machine. */
function serversCheck({ configuration }: Session): Check[] {
  const labels = Object.keys(configuration.values.mcpServers);
  if (labels.length === 0) return [];
  const hint = "skillwright mcp check asks them";
  return [{ name: "servers", status: "ok", message: `${labels.join(", ")} (not asked)`, hint }];
}

function configurationCheck({ configuration: { files, problems, notes } }: Session): Check {
  const name = "configuration";
  if (problems.length > 0) {
    return {
      name,
      status: "error",
      message: `${problems.length} problems: ${problems.map(({ path }) => path).join(", ")}`,
      hint: "skillwright config",
    };
  }
  const unknown = notes.filter(({ isWarning }) => isWarning === true);
  if (unknown.length > 0) {
    const message = unknown.map((note) => note.message).join("; ");
    return { name, status: "warning", message, hint: "skillwright config" };
  }
  const read = files.map(({ file }) => file).join(", ");
  return { name, status: "ok", message: read === "" ? "defaults" : read };
}

/** A folder that is there must be writable; one that is not must be possible to make. */
async function folder(name: string, path: string): Promise<Check> {
  for (let existing = path; ; existing = dirname(existing)) {
    const stats = await stat(existing).catch(() => undefined);
    if (stats === undefined && existing !== dirname(existing)) continue;
    const writable = await access(existing, constants.W_OK).then(
      () => true,
      () => false,
    );
    return writable
      ? { name, status: "ok", message: path }
      : {
          name,
          status: "warning",
          message: `${path} cannot be written`,
          hint: `chown or chmod ${existing}`,
        };
  }
}

/** Each root, and what kept the search from finding all that may be below it. */
async function rootChecks(skills: Skills): Promise<Check[]> {
  const problems = scanProblems(skills.diagnostics());
  const roots = await Promise.all(skills.roots.map((root) => rootCheck(root, skills.all)));
  const isReported = ({ root, check }: (typeof roots)[number]) =>
    check.status === "ok" && problems.some(({ file }) => file === root);
  return [
    ...roots.filter((one) => !isReported(one)).map(({ check }) => check),
    ...problems.map(({ severity, file, message, code }): Check => ({
      name: "root",
      status: severity === "error" ? "error" : "warning",
      message: `${file}: ${message}`,
      hint: `docs/lint-rules.md says more about ${code}`,
    })),
  ];
}

async function rootCheck(root: string, all: readonly { readonly root: string }[]) {
  const check = (status: Check["status"], message: string, hint?: string) => ({
    root,
    check: { name: "root", status, message, ...(hint === undefined ? undefined : { hint }) },
  });
  const stats = await stat(root).catch(() => undefined);
  if (stats === undefined) return check("ok", `${root} (not there)`);
  const readable = await access(root, constants.R_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!readable) return check("error", `${root} cannot be read`, `chmod +rx ${root}`);
  const count = all.filter((skill) => skill.root === root).length;
  return check("ok", `${root} (${count} skills)`);
}
