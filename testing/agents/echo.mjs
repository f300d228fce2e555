// The correct agent: answers every request, and exits when its stdin ends.
import { serve } from './lib/acp.mjs'

serve()
