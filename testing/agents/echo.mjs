// The agent without a fault: answers everything, and ends when its stdin does.
import { serve } from './lib/acp.mjs'

serve()
