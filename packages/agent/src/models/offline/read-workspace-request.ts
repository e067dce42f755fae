import type { RequestFacts } from "./read-request.ts";

export interface ToolCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, string>>;
}

const LIST =
  /\b(?:list|show|what)\b[^\n]{0,40}\b(?:files|folders?|director(?:y|ies))\b|\bls\b|(?:列出|显示|查看|有哪些)[^\n]{0,20}(?:文件|目录)|(?:文件|目录)[^\n]{0,20}(?:有哪些|列表)/iu;
const READ =
  /\b(?:read|show|open|print|display|cat|see|what(?:'s| is) in)\b|读取|读一下|打开|显示|查看|看看|看一下|内容/iu;
const SEARCH =
  /\b(?:search|grep|look|find)\b(?:[^\n]{0,40}?\bfor\b)?\s{0,3}([^\n]{1,200}?)(?:\s+(?:in|under|within)\s[^\n]{0,200})?[.?!]?$|(?:搜索|查找|搜一下|找一下|寻找)\s{0,3}([^\n]{1,200}?)[。？！]?$/imu;

/** A request that a tool of the workspace answers by itself. */
export function readWorkspaceRequest(
  facts: RequestFacts,
  tools: readonly string[],
): ToolCall | undefined {
  const text = facts.text.trim();
  if (text.length > 500) return undefined;
  const [path] = facts.files;
  const isFile = path !== undefined && !path.endsWith("/");
  if (tools.includes("search_files")) {
    const match = SEARCH.exec(text);
    const wanted = facts.quoted[0] ?? (match?.[1] ?? match?.[2])?.trim();
    if (match !== null && wanted !== undefined && wanted !== "" && wanted !== path) {
      return {
        tool: "search_files",
        input: { pattern: literal(wanted), ...(path !== undefined && { path }) },
      };
    }
  }
  if (tools.includes("read_file") && isFile && READ.test(text)) {
    return { tool: "read_file", input: { path } };
  }
  if (tools.includes("list_directory") && LIST.test(text)) {
    return { tool: "list_directory", input: path === undefined ? {} : { path } };
  }
  return undefined;
}

/** The tool takes a regular expression, people mean the text. */
function literal(text: string): string {
  return text.slice(0, 200).replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
