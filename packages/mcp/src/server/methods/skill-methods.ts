import { ProtocolError, ProtocolErrorCode, type Server } from "@modelcontextprotocol/server";
import {
  type DirectoryResource,
  RESOURCES_DIRECTORY_READ_METHOD,
  SKILLS_GET_METHOD,
  SKILLS_LIST_METHOD,
} from "@modelcontextprotocol/server/ext/skills";
import { quoteLine } from "@skillwright/core/internal";
import * as z from "zod";
import { paginate } from "../paginate.ts";
import { directoryChildren } from "../published/directory-children.ts";
import { SKILL_FILE } from "../published/published-skill.ts";
import { cacheFields, type ClientSession, type ServerParts } from "../server-parts.ts";

const LIST = z.object({ cursor: z.string().optional() });
const GET = z.object({ uri: z.string() });
const DIRECTORY = z.object({ uri: z.string(), cursor: z.string().optional() });

/** The methods of the skills extension. */
export function addSkillMethods(server: Server, parts: ServerParts, session: ClientSession): void {
  const { published, pageSize, skills } = parts;
  const cache = cacheFields(session);

  server.setRequestHandler(SKILLS_LIST_METHOD, { params: LIST }, ({ cursor }, context) =>
    session.answer(SKILLS_LIST_METHOD, context, async () => {
      const { offered } = await published.current();
      const page = paginate(offered, ({ uri }) => uri, pageOptions(cursor, pageSize));
      return { skills: page.items.map(({ entry }) => entry), ...next(page), ...cache };
    }),
  );

  server.setRequestHandler(SKILLS_GET_METHOD, { params: GET }, ({ uri }, context) =>
    session.answer(SKILLS_GET_METHOD, context, async () => {
      const found = (await published.current()).find(uri);
      const entry = found?.path === SKILL_FILE ? found.skill.entry : undefined;
      if (entry === undefined) throw unknownUri(uri, "no skill");
      return { skill: entry, ...cache };
    }),
  );

  server.setRequestHandler(
    RESOURCES_DIRECTORY_READ_METHOD,
    { params: DIRECTORY },
    ({ uri, cursor }, context) =>
      session.answer(RESOURCES_DIRECTORY_READ_METHOD, context, async () => {
        const found = (await published.current()).find(uri);
        const children: readonly DirectoryResource[] | undefined =
          found && (await directoryChildren(skills, found));
        if (children === undefined) throw unknownUri(uri, "no folder of a skill");
        const page = paginate(children, (child) => child.uri, pageOptions(cursor, pageSize));
        return { resources: [...page.items], ...next(page), ...cache };
      }),
  );
}

export function pageOptions(cursor: string | undefined, pageSize: number) {
  return { pageSize, ...(cursor === undefined ? undefined : { cursor }) };
}

export function next({ nextCursor }: { readonly nextCursor?: string }) {
  return nextCursor === undefined ? {} : { nextCursor };
}

const MAX_ECHOED = 200;

function unknownUri(uri: string, what: string): ProtocolError {
  const message = `there is ${what} at "${quoteLine(uri, MAX_ECHOED)}"`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
