/** What a tool gives back to the host: text for the model, data for whoever looks. */

import { isRefused, isUnavailable } from "./errors.ts";

export interface ToolResult {
  content: { type: "text"; text: string }[];
  details: unknown;
}

export function answer(text: string, details: unknown): ToolResult {
  return { content: [{ type: "text", text }], details };
}

/** The answer, or what went wrong as one: an agent without its memory goes on. */
export async function told(work: Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await work;
  } catch (error) {
    if (isRefused(error)) return answer(`refused: ${error.message}`, { error: error.code, message: error.message });
    if (isUnavailable(error)) return answer(`no memory now: ${error.message}`, { unavailable: true, message: error.message });
    throw error;
  }
}
