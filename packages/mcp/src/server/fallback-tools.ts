import type { Failure, Conversation, SkillTool } from "@skillwright/core";
import { guardTool } from "@skillwright/runtime/internal";
import { isSecretFile } from "./published/secret-files.ts";
import type { ServerParts } from "./server-parts.ts";

export const RUN_SCRIPT = "run_skill_script";
const READ_FILE = "read_skill_file";
const LOOK_AGAIN = "What load_skill gives names the files of the skill.";

/**
 * The tools by which a model finds, loads and reads skills through a client that knows only tools, behind
 * the gate. Running a script passes it where the script is known.
 */
export function fallbackTools({ gate, cwd }: ServerParts, view: Conversation): SkillTool[] {
  // One server may serve many conversations: what is in one of them is not in the next.
  view.ledger.clear();
  const tools = view.tools({
    preset: "standard",
    // So little that not all skills fit: the client shows no catalog, so that they have to be searched.
    catalogBudgetTokens: 1,
    enabled: { list_skill_files: false },
  });
  return tools
    .map(withoutSecrets)
    .map((tool) =>
      gate === undefined || tool.name === RUN_SCRIPT ? tool : guardTool(tool, { gate, cwd }),
    );
}

/** What is not served as a resource is not read by a tool, and no failure names it. */
function withoutSecrets(tool: SkillTool): SkillTool {
  return {
    ...tool,
    async execute(input, context) {
      const { file_path: path } = (input ?? {}) as { readonly file_path?: unknown };
      if (tool.name !== READ_FILE || typeof path !== "string" || !isSecretFile(path)) {
        return withoutSecretCandidates(await tool.execute(input, context));
      }
      const message = "the file may hold a secret, and is not served";
      return { ok: false, code: "file-not-found", message } satisfies Failure<"file-not-found">;
    },
    toText: (result) => tool.toText(result),
  };
}

/** Without candidates an answer is the same whether there is a secret of a like name or not. */
function withoutSecretCandidates(result: unknown): unknown {
  if (!isFailure(result)) return result;
  const { candidates = [], ...failure } = result;
  const offered = candidates.filter((one) => !isSecretFile(one));
  if (offered.length > 0) return { ...failure, candidates: offered };
  return failure.code === "file-not-found" ? { ...failure, hint: LOOK_AGAIN } : failure;
}

function isFailure(result: unknown): result is Failure {
  return typeof result === "object" && result !== null && "ok" in result && result.ok === false;
}
