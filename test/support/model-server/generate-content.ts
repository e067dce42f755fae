import type { Script } from "./model-server.ts";
import {
  eventReply,
  jsonReply,
  pieces,
  type ScriptedAnswer,
  type ScriptedUsage,
} from "./scripted-answer.ts";

/** An answer in the words of Gemini, streamed when the client asks for that. Calls have no ids. */
export function generateContent(answer: ScriptedAnswer, { size }: { size?: number } = {}): Script {
  return ({ path }) =>
    path.includes(":streamGenerateContent")
      ? eventReply(contentEvents(answer), size)
      : jsonReply(contentPiece(parts(answer), answer));
}

export function contentEvents(answer: ScriptedAnswer): string {
  const streamed = parts(answer).flatMap((part): object[] => {
    const { text } = part as { readonly text?: string };
    return text === undefined ? [part] : pieces(text).map((piece) => ({ ...part, text: piece }));
  });
  const events = streamed.map((part) => contentPiece([part]));
  return [...events, contentPiece([{ text: "" }], answer)]
    .map((piece) => `data: ${JSON.stringify(piece)}\r\n\r\n`)
    .join("");
}

function parts({ thought, text, calls = [] }: ScriptedAnswer): object[] {
  return [
    ...(thought === undefined ? [] : [{ text: thought, thought: true }]),
    ...(text === undefined ? [] : [{ text }]),
    ...calls.map(({ name, input }, index) => ({
      functionCall: { name, args: input },
      // Of calls side by side only the first one is signed.
      ...(thought !== undefined && index === 0 && { thoughtSignature: "c2lnbmVk" }),
    })),
  ];
}

/** The last piece has the reason and the usage. */
function contentPiece(given: readonly object[], end?: ScriptedAnswer): object {
  return {
    candidates: [
      {
        content: { role: "model", parts: given },
        index: 0,
        ...(end && { finishReason: end.finish ?? "STOP" }),
      },
    ],
    ...(end?.usage && { usageMetadata: usageMetadata(end.usage) }),
    modelVersion: "test",
    responseId: "r1",
  };
}

function usageMetadata({ fresh, cacheRead, output }: ScriptedUsage): object {
  return {
    promptTokenCount: fresh + cacheRead,
    cachedContentTokenCount: cacheRead,
    candidatesTokenCount: output - 1,
    thoughtsTokenCount: 1,
    totalTokenCount: fresh + cacheRead + output,
  };
}
