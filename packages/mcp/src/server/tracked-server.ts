import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerOptions,
  type Transport,
} from "@modelcontextprotocol/server";
import { quoteLine } from "@skillwright/core/internal";
import * as z from "zod";

/** A server that is in a set as long as it is connected; one that never was needs no end. */
export class TrackedServer extends Server {
  readonly #connected: Set<TrackedServer>;

  constructor(
    info: ConstructorParameters<typeof Server>[0],
    options: ServerOptions,
    connected: Set<TrackedServer>,
  ) {
    super(info, options);
    this.#connected = connected;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it has only this
    this.onclose = () => connected.delete(this);
  }

  override async connect(transport: Transport): Promise<void> {
    this.#connected.add(this);
    await super.connect(transport);
  }

  /** Says that lists have changed. A client that is gone, or has not said hello yet, needs no word. */
  tellOfChange(): void {
    if (this.transport === undefined) return;
    const sent = [
      this.sendResourceListChanged(),
      this.sendPromptListChanged(),
      this.sendToolListChanged(),
    ];
    for (const one of sent) one.catch(() => {});
  }

  /** What the protocol layer finds wrong with a request is the client's mistake, said in a sentence. */
  protected override _wrapHandler(...[method, handler]: Parameters<Server["_wrapHandler"]>) {
    // oxlint-disable-next-line no-underscore-dangle -- the hook that the protocol layer has for this
    const wrapped = super._wrapHandler(method, handler);
    return async (...call: Parameters<typeof wrapped>) => {
      try {
        return await wrapped(...call);
      } catch (error) {
        throw wrongParameters(method, error) ?? error;
      }
    };
  }
}

const ISSUES = z.array(z.object({ path: z.array(z.unknown()), message: z.string() })).min(1);
const MAX_LENGTH = 200;

/** An error of the validator, which has a list of issues for its message, in words; undefined for others. */
function wrongParameters(method: string, error: unknown): ProtocolError | undefined {
  const [issue] = issuesOf(error);
  if (issue === undefined) return undefined;
  const path = issue.path.filter((key) => key !== "params").join(".");
  const where = path === "" ? "" : `${path}: `;
  const what = quoteLine(`${where}${issue.message}`, MAX_LENGTH);
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `the parameters of ${method} are wrong: ${what}`,
  );
}

function issuesOf(error: unknown): z.infer<typeof ISSUES> | [] {
  if (!(error instanceof Error)) return [];
  // Some methods say before the list what it is about.
  const list = /^(?:Invalid \S+ request: )?(\[\s*\{[^]*\])$/.exec(error.message)?.[1];
  try {
    return ISSUES.safeParse(JSON.parse(list ?? "[]")).data ?? [];
  } catch {
    return [];
  }
}
