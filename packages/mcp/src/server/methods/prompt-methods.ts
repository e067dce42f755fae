import {
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
} from "@modelcontextprotocol/server";
import { parseSkill, type SkillRecord, type Skills } from "@skillwright/core";
import { quoteLine, truncate } from "@skillwright/core/internal";
import * as z from "zod";
import { paginate } from "../paginate.ts";
import { MAX_BYTES, SKILL_FILE } from "../published/published-skill.ts";
import { readSkillBytes } from "../published/read-skill-bytes.ts";
import type { Frontmatter } from "../published/served-skill-file.ts";
import { cacheFields, type ClientSession, type ServerParts } from "../server-parts.ts";
import { next, pageOptions } from "./skill-methods.ts";
import { ALL_ARGUMENTS, typedArguments } from "./typed-arguments.ts";

const MAX_HINT = 200;

const GET = z.object({
  name: z.string(),
  arguments: z.record(z.string(), z.string()).optional(),
});

/** Each skill that a person may call is a prompt; to get it is to call it. */
export function addPromptMethods(server: Server, parts: ServerParts, session: ClientSession): void {
  const { skills, pageSize, audit } = parts;

  server.setRequestHandler("prompts/list", ({ params }, context) =>
    session.answer("prompts/list", context, async () => {
      await skills.refreshIfStale();
      const callable = callableSkills(skills);
      const page = paginate(callable, ({ name }) => name, pageOptions(params?.cursor, pageSize));
      const prompts = await Promise.all(page.items.map((record) => promptOf(skills, record)));
      return { prompts, ...next(page), ...cacheFields(session) };
    }),
  );

  server.setRequestHandler("prompts/get", { params: GET }, (params, context) =>
    session.answer("prompts/get", context, async () => {
      const { name, arguments: given = {} } = params;
      await skills.refreshIfStale();
      const record = callableSkills(skills).find((one) => one.name === name);
      if (record === undefined) throw unknownPrompt(name);
      const { typed, restore } = typedArguments(given, await declaredArguments(skills, record));
      const { view } = session;
      // One server may serve many conversations: what is in one of them is not in the next.
      view.ledger.clear();
      const activation = await view.activate(record.id, {
        by: "person",
        ...(typed === "" ? undefined : { arguments: typed }),
      });
      if (!activation.ok) {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, activation.message);
      }
      const { source, digest } = activation;
      const text = restore(activation.text);
      audit?.append({
        event: "skill-activate",
        data: { id: record.id, name, source, digest, by: "person" },
      });
      return {
        description: record.description,
        messages: [{ role: "user" as const, content: { type: "text" as const, text } }],
      };
    }),
  );
}

function callableSkills(skills: Skills): SkillRecord[] {
  return skills.all
    .filter(
      ({ userInvocable, trusted, enabled, shadowedBy }) =>
        userInvocable && trusted && enabled && shadowedBy === undefined,
    )
    .toSorted((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
}

async function promptOf(skills: Skills, record: SkillRecord): Promise<Prompt> {
  const { name, description } = record;
  const frontmatter = await frontmatterOf(skills, record);
  const names = declaredNames(frontmatter);
  const hint = frontmatter?.["argument-hint"];
  const about =
    typeof hint === "string" ? truncate(hint, MAX_HINT) : "What the skill is to work on.";
  return {
    name,
    description,
    arguments:
      names.length === 0
        ? [{ name: ALL_ARGUMENTS, description: about, required: false }]
        : names.map((one) => ({ name: one, required: false })),
  };
}

async function declaredArguments(skills: Skills, record: SkillRecord): Promise<readonly string[]> {
  return declaredNames(await frontmatterOf(skills, record));
}

async function frontmatterOf(
  skills: Skills,
  record: SkillRecord,
): Promise<Frontmatter | undefined> {
  const inline = skills.inlineSkill(record);
  const files = inline === undefined ? { directory: record.path } : { inline };
  const read = await readSkillBytes(files, SKILL_FILE, MAX_BYTES);
  return read.ok ? parseSkill(read.bytes.toString(), { values: true }).values : undefined;
}

/** `arguments: issue branch`, or a list. */
function declaredNames(frontmatter: Frontmatter | undefined): string[] {
  const declared = frontmatter?.[ALL_ARGUMENTS];
  const names: unknown = typeof declared === "string" ? declared.split(/[\s,]+/) : declared;
  if (!Array.isArray(names)) return [];
  return names.filter((name): name is string => {
    return typeof name === "string" && /^[A-Za-z_]\w*$/.test(name);
  });
}

function unknownPrompt(name: string): ProtocolError {
  const message = `there is no prompt "${quoteLine(name, MAX_HINT)}"`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
