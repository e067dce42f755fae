import { randomUUID } from "node:crypto";
import type { ClientCapabilities, Server, ServerContext } from "@modelcontextprotocol/server";
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import { SKILLS_EXTENSION_ID } from "@modelcontextprotocol/server/ext/skills";
import type { ViewOptions } from "@skillwright/core";
import { answerSafely } from "./answer-safely.ts";
import { asClient, clientName, clientPrincipal } from "./client-record.ts";
import { isSecretFile, withoutSecretFiles } from "./published/secret-files.ts";
import type { ClientSession, ServerParts } from "./server-parts.ts";

interface SessionOptions {
  readonly isModern: boolean;
  readonly parts: ServerParts;
  /** Takes note of what the user decided meanwhile. */
  readonly renew: () => Promise<void>;
}

/** What a connection says about the client at its other end. */
export function clientSession(
  server: Server,
  { isModern, parts, renew }: SessionOptions,
): ClientSession {
  const { skills, published, logger, hidePaths } = parts;
  // The protocol of 2026-07-28 has no sessions. The session's own id is as good as half a key.
  const session = isModern ? undefined : randomUUID().slice(0, 8);
  const shown: ViewOptions = {
    locationOf: (record) => published.folderUri(record),
    listsFile: (path) => !isSecretFile(path),
  };
  // Each request says it anew in 2026-07-28, and the protocol layer has checked its shape.
  const stated = ({ mcpReq }: ServerContext, key: string): unknown =>
    (mcpReq.envelope as Readonly<Record<string, unknown>> | undefined)?.[key];
  const capabilitiesOf = (context: ServerContext): ClientCapabilities | undefined => {
    const given = stated(context, CLIENT_CAPABILITIES_META_KEY) as ClientCapabilities | undefined;
    // oxlint-disable-next-line typescript/no-deprecated -- the only way in the older protocol
    return given ?? server.getClientCapabilities();
  };
  const infoOf = (context: ServerContext) =>
    // oxlint-disable-next-line typescript/no-deprecated -- the only way in the older protocol
    stated(context, CLIENT_INFO_META_KEY) ?? server.getClientVersion();
  const clientOf = (context: ServerContext) => clientName(infoOf(context));
  return {
    isModern,
    view: withoutSecretFiles(skills.view(shown)),
    restView: withoutSecretFiles(
      skills.view({ ...shown, include: (record) => !published.hasEntry(record) }),
    ),
    client: clientOf,
    readsSkills(context) {
      const { extensions } = capabilitiesOf(context) ?? {};
      return extensions !== undefined && Object.hasOwn(extensions, SKILLS_EXTENSION_ID);
    },
    canElicit(context) {
      const { elicitation } = capabilitiesOf(context) ?? {};
      // Without a mode, forms are meant.
      return (
        elicitation !== undefined &&
        (elicitation.form !== undefined || elicitation.url === undefined)
      );
    },
    answer: (method, context, work) =>
      answerSafely({ method, logger, hidePaths }, async () => {
        // Until then nobody knows what the client can do itself.
        // oxlint-disable-next-line typescript/no-deprecated -- the only way in the older protocol
        if (!isModern && server.getClientCapabilities() === undefined) {
          throw new ProtocolError(ProtocolErrorCode.InvalidRequest, "initialize comes first");
        }
        await renew();
        const principal = clientPrincipal(infoOf(context), subjectOf(context));
        return asClient({ client: clientOf(context), session, principal }, work);
      }),
  };
}

/** Whom the host's transport authenticated; our own HTTP server knows only that the token is right. */
function subjectOf({ http }: ServerContext): string | undefined {
  const { clientId, extra } = http?.authInfo ?? {};
  const subject = extra?.["sub"];
  return typeof subject === "string" ? subject : clientId;
}
