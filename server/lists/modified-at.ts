import { isDayLater } from '../../generator/dates.ts';

interface Times {
  /** When it was created on this server. */
  readonly createdAt: string;
  readonly publishedAt: string;
  readonly updatedAt: string;
}

/**
 * When readers should think that a post was last changed. A post that is older than its row here was moved in: what was
 * done to it within a day is part of the move, and the post is as old as its publication.
 */
export function modifiedAt({ createdAt, publishedAt, updatedAt }: Times): string {
  const isMovedIn = publishedAt < createdAt;
  if (isMovedIn && !isDayLater(createdAt, updatedAt)) return publishedAt;
  return updatedAt > publishedAt ? updatedAt : publishedAt;
}
