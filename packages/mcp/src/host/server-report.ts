import { quoteLine } from "@skillwright/core/internal";
import type { Used } from "./connection/server-connection.ts";
import type { HostLimits } from "./host-limits.ts";
import type { McpFailure } from "./mcp-failure.ts";
import { hideSecrets } from "./settings/secrets.ts";
import type { ServerSkills } from "./skills/server-skills.ts";
import type { ServerTools } from "./tools/server-tools.ts";

/** What was found out about one server. */
export interface McpServerReport {
  readonly label: string;
  readonly kind: "program" | "address" | "unknown";
  readonly ok: boolean;
  readonly server?: string | undefined;
  readonly protocol?: string | undefined;
  readonly skills: number;
  readonly tools: number;
  readonly trust: boolean;
  readonly milliseconds: number;
  readonly failure?: McpFailure;
  readonly problems: readonly string[];
}

interface ServerParts {
  readonly tools: ServerTools;
  /** Undefined where the user does not want them. */
  readonly skills: ServerSkills | undefined;
}

/** Connects to a server and asks for all that it lists. */
export async function checkServer(
  { tools, skills }: ServerParts,
  { listMs }: Pick<HostLimits, "listMs">,
  clock: () => number,
): Promise<McpServerReport> {
  const { connection } = tools;
  const { label, kind, trust, secrets } = connection.settings;
  const started = clock();
  const about = await connection.use({ milliseconds: listMs }, async ({ client }) => {
    const { name = "", version = "" } = client.getServerVersion() ?? {};
    const protocol = client.getNegotiatedProtocolVersion();
    return { server: quoteLine(hideSecrets(`${name} ${version}`, secrets), 100), protocol };
  });
  const listed = about.ok ? await tools.list() : undefined;
  const scan = about.ok ? await skills?.scan() : undefined;
  const failure = failureIn(about) ?? failureIn(listed) ?? skills?.failure;
  const messages = (scan?.diagnostics ?? []).map(({ message }) => message);
  return {
    label,
    kind,
    ok: failure === undefined,
    ...(about.ok ? about.value : undefined),
    skills: scan?.skills.length ?? 0,
    tools: listed?.ok === true ? listed.value.tools.length : 0,
    trust,
    milliseconds: clock() - started,
    ...(failure && { failure }),
    problems: [
      ...messages.filter((message) => message !== failure?.message),
      ...(listed?.ok === true ? listed.value.problems : []),
    ],
  };
}

function failureIn(result: Used<unknown> | undefined): McpFailure | undefined {
  return result?.ok === false ? result : undefined;
}
