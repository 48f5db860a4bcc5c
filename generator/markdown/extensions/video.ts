import { UNVOUCHED } from '../links.ts';
import { escapeText, unescapeText } from '../text/plain-text.ts';

/** A link that the parser made from a bare URL: its text is the URL, perhaps without the scheme. */
const BARE_LINK = /^<a href="([^"]*)"[^>]*>([^<]*)<\/a>$/;

/** Frames in one post; further URLs stay links. */
const MAX_VIDEOS = 100;

const hosts = /^(?:www\.|m\.)?youtube(?:-nocookie)?\.com$/;
const videoId = /^[\w-]{11}$/;
const timeOffset = /^(?:(\d{1,2})h)?(?:(\d{1,3})m)?(?:(\d{1,6})s?)?$/;

/**
 * Returns the replacement of a line that is only a video URL (a watch, short or embed URL), or null for any other line.
 * The frame sets no cookie and is loaded lazily. Below it is the URL, for print and for feed readers, which do not show
 * frames.
 */
export function createVideoEmbedder(): (line: string) => string | null {
  let count = 0;
  return (line) => {
    const video = videoIn(line);
    if (video === null || count >= MAX_VIDEOS) return null;
    count += 1;
    // Each frame of a page needs a distinct name.
    const title = count === 1 ? 'YouTube video' : `YouTube video ${count}`;
    const query = video.start > 0 ? `?start=${video.start}` : '';
    const watch = `https://www.youtube.com/watch?v=${video.id}${video.start > 0 ? `&t=${video.start}s` : ''}`;
    return (
      `<figure class="video"><iframe src="https://www.youtube-nocookie.com/embed/${video.id}${query}" title="${title}" ` +
      'loading="lazy" allow="encrypted-media; fullscreen; picture-in-picture" ' +
      'referrerpolicy="strict-origin-when-cross-origin"></iframe>' +
      `<figcaption><a href="${escapeText(watch)}" rel="${UNVOUCHED}">${escapeText(watch)}</a></figcaption></figure>`
    );
  };
}

function videoIn(line: string): { id: string; start: number } | null {
  const [, href = '', text = ''] = BARE_LINK.exec(line) ?? [];
  if (href === '' || (href !== text && href !== `http://${text}`)) return null;
  const address = unescapeText(href);
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  const id = videoIdOf(url);
  return id === null ? null : { id, start: startOf(url) };
}

function videoIdOf({ protocol, username, port, hostname, pathname, searchParams }: URL): string | null {
  if (!/^https?:$/.test(protocol) || username !== '' || port !== '') return null;
  const id =
    hostname === 'youtu.be'
      ? pathname.slice(1)
      : hosts.test(hostname) && pathname === '/watch'
        ? (searchParams.get('v') ?? '')
        : hosts.test(hostname) && pathname.startsWith('/embed/')
          ? pathname.slice('/embed/'.length)
          : '';
  return videoId.test(id) ? id : null;
}

/** Seconds into the video: `t=90`, `t=1m30s` or `start=90`. */
function startOf({ searchParams }: URL): number {
  const [, hours = 0, minutes = 0, seconds = 0] =
    timeOffset.exec(searchParams.get('t') ?? searchParams.get('start') ?? '') ?? [];
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}
