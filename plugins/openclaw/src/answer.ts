/** The result of a tool: text for the model, data for whoever inspects it. */

import { isRefused, isUnavailable } from "./errors.ts";

export interface ToolResult {
  content: { type: "text"; text: string }[];
  details: unknown;
}

export function answer(text: string, details: unknown): ToolResult {
  return { content: [{ type: "text", text }], details };
}

/** The result, or an error as a result: an agent whose memory fails goes on without it. */
export async function errorsAsAnswers(work: Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await work;
  } catch (error) {
    if (isRefused(error)) return answer(`refused: ${error.message}`, { error: error.code, message: error.message });
    if (isUnavailable(error)) return answer(`memory unavailable: ${error.message}`, { unavailable: true, message: error.message });
    throw error;
  }
}
