/** What a terminal obeys and no text needs: controls but line breaks and tabs, and the order of letters. */
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\p{Bidi_Control}/gu;

/** Text of others for a file or a pipe, which may end in a terminal after all. */
export function withoutControls(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(CONTROLS, "");
}
