import { Server, type ServerOptions, type Transport } from "@modelcontextprotocol/server";
import { wrongParameters } from "./wrong-parameters.ts";

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
