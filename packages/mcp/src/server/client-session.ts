import type { ClientCapabilities, Server, ServerContext } from "@modelcontextprotocol/server";
import {
  CLIENT_CAPABILITIES_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import { SKILLS_EXTENSION_ID } from "@modelcontextprotocol/server/ext/skills";
import type { Logger, SkillsView } from "@skillwright/core";
import { answerSafely } from "./answer-safely.ts";
import type { ClientSession } from "./server-parts.ts";

interface SessionOptions {
  readonly isModern: boolean;
  readonly view: SkillsView;
  /** Takes note of what the user decided meanwhile. */
  readonly renew: () => Promise<void>;
  readonly logger: Logger | undefined;
}

/** What a connection says about the client at its other end. */
export function clientSession(
  server: Server,
  { isModern, view, renew, logger }: SessionOptions,
): ClientSession {
  const capabilitiesOf = ({ mcpReq }: ServerContext): ClientCapabilities | undefined => {
    const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
    // Each request says it anew in 2026-07-28, and the protocol layer has checked its shape.
    const stated = envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
    // oxlint-disable-next-line typescript/no-deprecated -- the only way in the older protocol
    return stated ?? server.getClientCapabilities();
  };
  return {
    isModern,
    view,
    client() {
      // oxlint-disable-next-line typescript/no-deprecated -- the only way in the older protocol
      const { name, version } = server.getClientVersion() ?? {};
      return name === undefined ? undefined : `${name} ${version ?? ""}`.trim().slice(0, 100);
    },
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
    answer: (method, work) =>
      answerSafely(method, logger, async () => {
        // Until then nobody knows what the client can do itself.
        // oxlint-disable-next-line typescript/no-deprecated -- the only way in the older protocol
        if (!isModern && server.getClientCapabilities() === undefined) {
          throw new ProtocolError(ProtocolErrorCode.InvalidRequest, "initialize comes first");
        }
        await renew();
        return work();
      }),
  };
}
