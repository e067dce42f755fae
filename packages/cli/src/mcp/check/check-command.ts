import type { McpServerReport } from "@skillwright/mcp";
import { plural, visibleLine } from "@skillwright/core/internal";
import type { Console, GlobalOptions } from "../../console.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { openSession, type Session, createHost } from "@skillwright/app/internal";
import { table } from "../../terminal/table.ts";

type Servers = Session["configuration"]["values"]["mcpServers"];

const SELF = "(skillwright)";
const LATE_HINT = "is it an MCP server? A first start may also take longer: try again";

/** Connects to what this command line serves, and to every configured server, and says what is there. */
export async function checkCommand(
  options: GlobalOptions,
  console: Console,
  program: readonly [string, string] = [process.execPath, process.argv[1] ?? ""],
): Promise<ExitCode> {
  const session = await openSession(options, console);
  const { configuration, cacheDirectory } = session;
  const { mcpServers } = configuration.values;
  const count = Object.values(mcpServers).filter(({ disabled }) => disabled !== true).length + 1;
  console.progress(`Asking ${plural(count, "server")} …`);
  const [self, others] = await Promise.all([
    checkServers({ skillwright: ownServer(program, options, console) }, cacheDirectory, console),
    checkServers(mcpServers, cacheDirectory, console),
  ]);
  const reports = [...self.map((report) => ({ ...report, label: SELF })), ...others];
  const disabled = Object.keys(mcpServers).filter((label) => mcpServers[label]?.disabled === true);
  if (console.json) console.printJson({ servers: reports, disabled });
  else print(reports, disabled, console);
  return reports.every(({ ok }) => ok) ? EXIT.done : EXIT.no;
}

async function checkServers(servers: Servers, cacheDirectory: string, console: Console) {
  const host = await createHost(servers, console, cacheDirectory);
  try {
    return await host.check();
  } finally {
    await host.close();
  }
}

/** As a client would start it here, with the same places for configuration and state. */
function ownServer(
  [command, file]: readonly [string, string],
  { root = [], config }: GlobalOptions,
  { cwd, env }: Console,
): Servers[string] {
  const places = Object.entries(env).filter(
    ([name, value]) =>
      /^(?:XDG_|SKILLWRIGHT_)\w+$/.test(name) && value !== undefined && value !== "",
  );
  const flags = [
    ...root.flatMap((one) => ["--root", one]),
    ...(config ? ["--config", config] : []),
  ];
  return {
    command,
    args: [file, "mcp", ...flags],
    cwd,
    // Names the variable instead of copying its value.
    env: Object.fromEntries(places.map(([name]) => [name, `\${${name}}`])),
  };
}

function print(
  reports: readonly McpServerReport[],
  disabled: readonly string[],
  console: Console,
): void {
  const rows = reports.map(
    ({ label, ok, protocol = "", skills, tools, trust, failure, server }) => [
      visibleLine(label),
      ok ? "ok" : "failed",
      visibleLine(protocol),
      String(skills),
      String(tools),
      label === SELF || !ok ? "" : trust ? "yes" : "no",
      visibleLine(failure === undefined ? (server ?? "") : reasonOf(label, failure.message)),
    ],
  );
  const header = ["SERVER", "STATUS", "PROTOCOL", "SKILLS", "TOOLS", "TRUSTED", "DETAILS"];
  const { width, colors } = console;
  console.print(table(header, rows, { width, header: colors.bold }));
  for (const { label, failure, problems } of reports) {
    // The table may have cut it.
    if (failure !== undefined) {
      console.note(visibleLine(`${label}: ${reasonOf(label, failure.message)}`));
    }
    const hint = failure?.hint ?? (failure?.code === "server-timeout" ? LATE_HINT : undefined);
    if (hint !== undefined) console.note(visibleLine(`  ${hint}`));
    for (const problem of problems) {
      console.note(visibleLine(`${label}: ${reasonOf(label, problem)}`));
    }
  }
  if (disabled.length > 0) console.note(visibleLine(`Not asked, disabled: ${disabled.join(", ")}`));
}

/** Without the server's name, which is printed before it. */
function reasonOf(label: string, message: string): string {
  const name = label === SELF ? "skillwright" : label;
  return message.replace(/^the (?:MCP )?server (\S+?):? /, (all, found: string) =>
    found === name || found === JSON.stringify(name) ? "" : all,
  );
}
