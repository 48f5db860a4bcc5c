import type { McpServerSettings } from '../settings.ts';
import type { ToolCall } from './register-tool.ts';

/** Options of a call of the API: the blog that a tool was given, or the active one. */
export const optionsFor = (
  { activeBlog }: McpServerSettings,
  blog: string | undefined,
  { signal }: ToolCall,
): { readonly blog: string | undefined; readonly signal: AbortSignal } => ({
  blog: blog ?? activeBlog.current(),
  signal,
});
