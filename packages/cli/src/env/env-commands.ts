import { AppFailure } from "@skillwright/app";
import {
  type DeclaredEnvironment,
  declaredEnvironments,
  environmentStore,
  findOrFail,
  openSession,
  openSessionSkills,
  requireTrust,
  type SessionOptions,
} from "@skillwright/app/internal";
import { plural, visibleLine } from "@skillwright/core/internal";
import {
  type Environment,
  type EnvironmentPlan,
  prepareEnvironment,
  type PrepareFailure,
} from "@skillwright/runtime/environments";
import type { Console, GlobalOptions } from "../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../exit-code.ts";
import { cancelOnInterrupt } from "../terminal/cancel-on-interrupt.ts";
import { table } from "../terminal/table.ts";

export interface PrepareCommandOptions extends GlobalOptions, SessionOptions {
  readonly yes?: readonly string[] | true;
  readonly upgrade?: boolean;
  readonly dryRun?: boolean;
}

const APPROVAL = "prepare_environment";
const MAX_SHOWN = 40;

interface PreparedRow {
  readonly skill: string;
  readonly scripts: readonly string[];
  readonly status: "ready" | "prepared" | "planned" | "failed" | "needs-approval";
  readonly environment?: string;
  readonly libraries?: readonly { readonly name: string; readonly version: string }[];
  readonly origins?: readonly string[];
  readonly message?: string;
  readonly hint?: string | undefined;
}

/** `skillwright env prepare`: the only place where libraries of scripts are fetched. */
export async function prepareCommand(
  names: readonly string[],
  options: PrepareCommandOptions,
  console: Console,
): Promise<ExitCode> {
  const isApproved = approvedByFlag(options);
  const opened = await openSession(options, console);
  const registry = await openSessionSkills(opened, options, console);
  const { session, skills } = await requireTrust(opened, registry, options, console);
  const store = environmentStore(session.cacheDirectory);
  const wanted = names.length > 0 ? names.map((name) => findOrFail(skills, name)) : skills.all;
  const untrusted = wanted.find((skill) => !skill.trusted);
  if (names.length > 0 && untrusted !== undefined) {
    throw new CommandFailure(
      EXIT.no,
      `${untrusted.name} is not trusted, so nothing is fetched for it.`,
      {
        hint: "look at it, then run skillwright trust",
      },
    );
  }
  const declared: DeclaredEnvironment[] = [];
  for (const skill of wanted.filter(({ trusted, enabled }) => trusted && enabled)) {
    declared.push(...(await declaredEnvironments(skill, store)));
  }
  const rows: PreparedRow[] = [];
  for (const one of declared) rows.push(await prepareOne(one));
  if (console.json) console.printJson({ environments: rows });
  else printRows(rows, names, console);
  if (rows.some(({ status }) => status === "failed")) return EXIT.no;
  return rows.some(({ status }) => status === "needs-approval") ? EXIT.approval : EXIT.done;

  async function prepareOne({
    skill,
    scripts,
    need,
    environment,
  }: DeclaredEnvironment): Promise<PreparedRow> {
    const base = { skill, scripts };
    if ("code" in need)
      return { ...base, status: "failed", message: need.message, hint: need.hint };
    if (environment !== undefined && options.upgrade !== true) {
      if (options.dryRun !== true) store.setSkills(environment, [...environment.skills, skill]);
      return { ...base, status: "ready", ...shownEnvironment(environment) };
    }
    let planned: EnvironmentPlan | undefined;
    console.progress(`Looking up what ${visibleLine(skill)} needs …`);
    const prepared = await cancelOnInterrupt((signal) =>
      prepareEnvironment(need, {
        store,
        skill,
        env: console.env,
        signal,
        upgrade: options.upgrade === true,
        async approve(plan) {
          console.progress("");
          planned = plan;
          if (options.dryRun === true) return false;
          if (isApproved) return true;
          if (!console.canAsk) return false;
          const isYes = await askToFetch(plan, skill, console);
          if (isYes)
            console.progress(`Fetching ${plural(plan.libraries.length, "library", "libraries")} …`);
          return isYes;
        },
      }),
    );
    console.progress("");
    if (prepared.ok)
      return { ...base, status: "prepared", ...shownEnvironment(prepared.environment) };
    return { ...base, ...unprepared(prepared, planned, options, console) };
  }
}

function unprepared(
  { code, message, hint }: PrepareFailure,
  plan: EnvironmentPlan | undefined,
  { dryRun }: PrepareCommandOptions,
  { canAsk }: Console,
): Pick<PreparedRow, "status" | "libraries" | "origins" | "message" | "hint"> {
  const shown = plan && { libraries: plan.libraries, origins: plan.origins };
  if (code !== "refused") return { status: "failed", message, hint, ...shown };
  if (dryRun === true) return { status: "planned", ...shown };
  if (canAsk) return { status: "needs-approval", message, ...shown };
  const why = "Nothing was fetched: this needs an approval.";
  return {
    status: "needs-approval",
    message: why,
    hint: `run it again with --yes=${APPROVAL}`,
    ...shown,
  };
}

function approvedByFlag({ yes }: PrepareCommandOptions): boolean {
  if (yes === undefined) return false;
  const names = yes === true ? [] : yes.flatMap((one) => one.split(","));
  const isOther = names.length === 0 || names.some((name) => name !== APPROVAL);
  if (isOther)
    throw new CommandFailure(EXIT.usage, `--yes takes what it approves: --yes=${APPROVAL}`);
  return true;
}

async function askToFetch(
  plan: EnvironmentPlan,
  skill: string,
  console: Console,
): Promise<boolean> {
  console.note(
    `${visibleLine(skill)} needs ${plural(plan.libraries.length, "library", "libraries")} (${plan.need.declaredIn}):`,
  );
  for (const line of libraryLines(plan.libraries)) console.note(`  ${line}`);
  console.note(`  from  ${plan.origins.map(visibleLine).join(", ")}`);
  console.note(`  with  ${plan.tool}; no code of theirs runs now, their hashes are locked`);
  const answer = await console.choose({
    message: "Fetch them?",
    choices: [
      { value: "yes", label: "yes" },
      { value: "no", label: "no" },
    ],
    initial: "no",
  });
  return answer === "yes";
}

function libraryLines(libraries: EnvironmentPlan["libraries"]): readonly string[] {
  const lines = libraries
    .slice(0, MAX_SHOWN)
    .map(({ name, version }) => visibleLine(`${name} ${version}`));
  const more = libraries.length - lines.length;
  return more === 0 ? lines : [...lines, `and ${more} more`];
}

function shownEnvironment({
  id,
  libraries,
}: Environment): Pick<PreparedRow, "environment" | "libraries"> {
  return { environment: id, libraries: libraries.map(({ name, version }) => ({ name, version })) };
}

const SAID: Readonly<Record<PreparedRow["status"], string>> = {
  ready: "is ready",
  prepared: "was prepared",
  planned: "would be prepared",
  failed: "could not be prepared",
  "needs-approval": "was not prepared",
};

function printRows(rows: readonly PreparedRow[], names: readonly string[], console: Console): void {
  if (rows.length === 0) {
    const which =
      names.length === 1 ? `${visibleLine(names[0] ?? "")} declares` : "No skill declares";
    const what = names.length === 1 ? "no libraries for its scripts" : "libraries for its scripts";
    console.printText(
      `${which} ${what} (PEP 723, requirements.txt, pyproject.toml or package.json).`,
    );
    return;
  }
  for (const { skill, scripts, status, libraries = [], origins = [], message, hint } of rows) {
    const of = scripts.length === 1 ? (scripts[0] ?? "") : plural(scripts.length, "script");
    const count =
      libraries.length === 0 ? "" : ` (${plural(libraries.length, "library", "libraries")})`;
    console.printText(visibleLine(`${skill}: the environment of ${of} ${SAID[status]}${count}.`));
    if (status === "planned" || status === "needs-approval") {
      for (const line of libraryLines(libraries)) console.print(`  ${line}`);
      if (origins.length > 0) console.printText(`  from ${origins.map(visibleLine).join(", ")}`);
    }
    for (const line of (message ?? "").split("\n").filter((text) => text !== ""))
      console.printText(`  ${visibleLine(line)}`);
    if (hint !== undefined) console.printText(`  → ${visibleLine(hint)}`);
  }
}

/** `skillwright env list` */
export async function listEnvironmentsCommand(
  options: GlobalOptions,
  console: Console,
): Promise<ExitCode> {
  const { cacheDirectory } = await openSession(options, console);
  const store = environmentStore(cacheDirectory);
  const environments = store.list().toSorted((a, b) => a.preparedAt.localeCompare(b.preparedAt));
  if (console.json) {
    console.printJson({ folder: store.folder, environments });
    return EXIT.done;
  }
  if (environments.length === 0) {
    console.printText("No environments. skillwright env prepare makes those that skills declare.");
    return EXIT.done;
  }
  const rows = environments.map(({ id, kind, skills, libraries, bytes, preparedAt }) => [
    id.slice(0, 12),
    kind,
    skills.map(visibleLine).join(", "),
    String(libraries.length),
    `${(bytes / 1e6).toFixed(1)} MB`,
    preparedAt.slice(0, 10),
  ]);
  const header = ["ID", "KIND", "SKILLS", "LIBRARIES", "SIZE", "PREPARED"];
  console.print(table(header, rows, { width: console.width, header: console.colors.dim }));
  return EXIT.done;
}

export interface RemoveCommandOptions extends GlobalOptions {
  readonly all?: boolean;
}

/** `skillwright env remove`: by the start of an id, or by skill, as long as no other skill shares it. */
export async function removeEnvironmentsCommand(
  names: readonly string[],
  options: RemoveCommandOptions,
  console: Console,
): Promise<ExitCode> {
  if (names.length === 0 && options.all !== true) {
    throw new CommandFailure(EXIT.usage, "Name a skill or an id, or use --all.", {
      hint: "skillwright env list shows both",
    });
  }
  const { cacheDirectory } = await openSession(options, console);
  const store = environmentStore(cacheDirectory);
  const environments = store.list();
  const isNamed = ({ id, skills }: Environment, name: string) =>
    skills.includes(name) || (name.length >= 4 && id.startsWith(name));
  const unknown = names.find((name) => !environments.some((one) => isNamed(one, name)));
  if (unknown !== undefined) {
    throw new AppFailure(
      "no",
      `No environment has the id ${JSON.stringify(unknown)} or was prepared for a skill of that name.`,
      {
        hint: "skillwright env list shows all of them",
      },
    );
  }
  const removed = environments.filter((one) => {
    if (options.all === true || names.some((name) => one.id.startsWith(name))) return true;
    const left = one.skills.filter((skill) => !names.includes(skill));
    if (left.length > 0) store.setSkills(one, left);
    return left.length === 0;
  });
  for (const { id } of removed) store.remove(id);
  if (console.json) console.printJson({ removed: removed.map(({ id }) => id) });
  else console.printText(`Removed ${plural(removed.length, "environment")}.`);
  return EXIT.done;
}
