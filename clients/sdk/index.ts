export { type ResponseInfo, responseOf } from './answer.ts';
export type {
  BlogOption,
  CallOptions,
  IdempotencyOption,
  IfMatchOption,
  OptionsOf,
  WaitOption,
} from './call.ts';
export {
  BadRequestError,
  ConflictError,
  ConnectionError,
  type ErrorCode,
  type ErrorDetails,
  ForbiddenError,
  NotFoundError,
  PlatenError,
  PreconditionFailedError,
  RateLimitError,
  RebuildFailedError,
  ServerError,
  TimeoutError,
  UnauthorizedError,
} from './errors.ts';
export type * from './generated/types.ts';
export type { ImageFile } from './image-file.ts';
export { List, type ListPage } from './list.ts';
export type { WaitUntilLiveOptions } from './live.ts';
export { Platen } from './platen.ts';
export type { PlatenOptions } from './settings.ts';
