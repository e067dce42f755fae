import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { paginate } from "../paginate.ts";
import { type PublishedSkill, SKILL_FILE } from "../published/published-skill.ts";
import { readPublished } from "../published/read-published.ts";
import { cacheFields, type ClientSession, type ServerParts } from "../server-parts.ts";
import { next, pageOptions } from "./skill-methods.ts";

const TEMPLATE = {
  uriTemplate: "skill://{+path}",
  name: "skill file",
  description: "A file of a skill, such as skill://<name>/SKILL.md.",
};

/** Files of skills as resources: each SKILL.md is listed, all files can be read. */
export function addResourceMethods(
  server: Server,
  parts: ServerParts,
  session: ClientSession,
): void {
  const { published, pageSize } = parts;
  const cache = cacheFields(session);

  server.setRequestHandler("resources/list", ({ params }, context) =>
    session.answer("resources/list", context, async () => {
      const { listed } = await published.current();
      const offered = listed.filter(({ files, isDynamic }) => isDynamic || files.has(SKILL_FILE));
      const page = paginate(offered, ({ uri }) => uri, pageOptions(params?.cursor, pageSize));
      return { resources: page.items.map(resourceOf), ...next(page), ...cache };
    }),
  );

  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [TEMPLATE],
    ...cache,
  }));

  server.setRequestHandler("resources/read", ({ params: { uri } }, context) =>
    session.answer("resources/read", context, async () => ({
      ...(await readResource(uri, parts, context)),
      ...cache,
    })),
  );
}

function resourceOf({ uri, record, files }: PublishedSkill) {
  const { name, description } = record;
  const size = files.get(SKILL_FILE)?.size;
  const common = { uri, name, description, mimeType: "text/markdown" };
  return size === undefined ? common : { ...common, size };
}

async function readResource(
  uri: string,
  { skills, published, gate, audit, cwd, announce }: ServerParts,
  { mcpReq: { signal } }: ServerContext,
): Promise<ReadResourceResult> {
  const found = (await published.current()).find(uri);
  if (found === undefined || found.path === "") throw new ResourceNotFoundError(uri);
  const { skill, path } = found;
  const { name, source } = skill.record;
  const input = { skill_name: name, file_path: path };
  const passed = await gate?.pass({ tool: "read_skill_file", input, cwd }, { signal });
  if (passed?.ok === false) throw refused(passed.message);
  const read = await readPublished(skills, skill, path);
  const facts = read.ok ? { digest: read.digest } : { code: read.code };
  audit?.append({
    event: "file-read",
    data: { skill: name, source, path, ok: read.ok, ...facts },
  });
  if (!read.ok) {
    if (read.code === "file-not-found") throw new ResourceNotFoundError(uri);
    published.noteChange({ added: [], removed: [], changed: [name] });
    announce();
    throw new ProtocolError(ProtocolErrorCode.InternalError, `${uri}: ${read.message}`);
  }
  const { bytes, isText, mimeType } = read;
  const content = isText ? { text: bytes.toString() } : { blob: bytes.toString("base64") };
  return { contents: [{ uri, mimeType, ...content }] };
}

function refused(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
