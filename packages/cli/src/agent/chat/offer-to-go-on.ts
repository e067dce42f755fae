import { visibleLine } from "@skillwright/core/internal";
import { continueCommand } from "../continue-command.ts";
import { waitingRequest } from "@skillwright/app/internal";
import { type Chat, openEnd } from "./chat.ts";

/** A turn that waits for somebody, or was interrupted, can go on before anything else is said. */
export async function offerToGoOn(chat: Chat): Promise<void> {
  const { console, options, store } = chat.context;
  const { last } = chat.state;
  const how = openEnd(chat.state);
  if (last === undefined || how === undefined) return;
  const waiting = await waitingRequest(store, last.runId, last.approval);
  const what = how === "approval" ? `waits for an approval of ${waiting?.tool ?? "a call"}` : HOW;
  if (!console.canAsk) {
    const command = continueCommand({ runId: last.runId, approve: last.approval }, options);
    console.note(visibleLine(`The last turn ${what}. It goes on with: ${command.join(" ")}`));
    return;
  }
  const answer = await console.choose({
    message: visibleLine(`The last turn ${what}.`),
    choices: [
      { value: "go-on", label: "Go on with it", hint: "what needs an approval is asked again" },
      { value: "leave", label: "Leave it, and say something else" },
    ],
    initial: "go-on",
  });
  if (answer === "go-on") await chat.goOn();
}

const HOW = "was interrupted";
